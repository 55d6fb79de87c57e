/** A link to a page of the console. */
import CloudscapeLink, { type LinkProps } from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../session/config.ts';

interface Props extends Pick<LinkProps, 'variant' | 'fontSize' | 'ariaLabel'> {
  /** From `paths`. */
  readonly to: string;
  readonly children: ReactNode;
}

export function Link({ to, children, ...props }: Props) {
  const [, navigate] = useLocation();
  return (
    <CloudscapeLink
      {...props}
      href={`${BASE}${to}`}
      onFollow={(event) => {
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </CloudscapeLink>
  );
}
