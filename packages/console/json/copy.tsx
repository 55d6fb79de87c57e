/** A button that copies a text and announces the outcome to screen readers. */
import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { useEffect, useState } from 'react';

interface Props extends Pick<ButtonProps, 'variant' | 'disabled'> {
  readonly children: string;
  /** Called on a click, so that a large text is built only when it is needed. */
  readonly text: () => string | Promise<string>;
}

/** Milliseconds for which the button shows the outcome of a click. */
const SHOWN = 2000;

export function CopyButton({ children, text, ...props }: Props) {
  const [said, setSaid] = useState<'Copied' | 'Not copied' | undefined>();
  useEffect(() => {
    const timer = said && setTimeout(() => setSaid(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [said]);

  async function write(): Promise<void> {
    const wanted = text();
    // Some browsers copy only during a click, so they get a text that is still being read as a promise.
    if (typeof wanted === 'string') await navigator.clipboard.writeText(wanted);
    else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': wanted })]);
  }

  const copy = () =>
    write().then(
      () => setSaid('Copied'),
      () => setSaid('Not copied'),
    );

  return (
    <>
      <Button {...props} iconName={said === 'Copied' ? 'check' : 'copy'} onClick={() => void copy()}>
        {children}
      </Button>
      <span className="for-screen-readers" role="status">
        {said}
      </span>
    </>
  );
}
