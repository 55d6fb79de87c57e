/** The frame of all pages: header with who is signed in, navigation, and the page. */
import AppLayout from '@cloudscape-design/components/app-layout';
import SideNavigation from '@cloudscape-design/components/side-navigation';
import TopNavigation from '@cloudscape-design/components/top-navigation';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../session/config.ts';
import { useService, useSession } from '../session/session.tsx';
import { paths } from './routes.tsx';

const HEADER = 'console-header';

const items = [
  { type: 'link', text: 'Endpoints', href: `${BASE}${paths.overview()}` },
  { type: 'link', text: 'Templates', href: `${BASE}${paths.templates()}` },
  { type: 'link', text: 'API keys', href: `${BASE}${paths.keys()}` },
  { type: 'divider' },
  { type: 'link', text: 'Settings', href: `${BASE}${paths.settings()}` },
] as const;

/** The entry of the navigation that the path belongs to: endpoints and jobs are below the overview. */
function activeOf(path: string): string {
  const entry = items.find(
    (item) => item.type === 'link' && item.href !== `${BASE}/` && `${BASE}${path}`.startsWith(item.href),
  );
  return entry?.type === 'link' ? entry.href : `${BASE}/`;
}

export function Layout({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const { signIn } = useService();
  const { data: session } = useSession();
  const [isOpen, setOpen] = useState(true);

  function follow(event: {
    preventDefault(): void;
    detail: { href?: string | undefined; external?: boolean | undefined };
  }) {
    const { href } = event.detail;
    if (!href?.startsWith(BASE) || event.detail.external) return;
    event.preventDefault();
    navigate(href.slice(BASE.length));
  }

  return (
    <>
      <div id={HEADER}>
        <TopNavigation
          identity={{ title: 'gpu-endpoints', href: `${BASE}/`, onFollow: follow }}
          utilities={[
            {
              type: 'menu-dropdown',
              iconName: 'user-profile',
              ariaLabel: 'Account',
              text: session?.user ?? '',
              ...(session && { description: session.groups.join(', ') }),
              items: [{ id: 'sign-out', text: 'Sign out' }],
              onItemClick: () => void signIn.end(),
            },
          ]}
        />
      </div>
      <AppLayout
        headerSelector={`#${HEADER}`}
        toolsHide
        navigationOpen={isOpen}
        onNavigationChange={({ detail }) => setOpen(detail.open)}
        navigation={<SideNavigation activeHref={activeOf(path)} items={items} onFollow={follow} />}
        content={children}
      />
    </>
  );
}
