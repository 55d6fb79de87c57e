/**
 * Renders the frame of all pages: header, notices and the page. The frame is plain HTML, because `AppLayout` with
 * its navigation would take 75 of the 300 KB that the shell may load.
 */
import Alert from '@cloudscape-design/components/alert';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useConnection } from '../api/connection.ts';
import { CONTENT, focusOn, useFocusOnNavigation } from './focus.ts';
import { Header } from './header.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const ExpiredDialog = lazy(() => import('./expired-dialog.tsx'));
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'));

/** Why the search found nothing. Only the page with this path shows it. */
interface Problem {
  readonly text: string;
  readonly path: string;
}

function SkipLink() {
  return (
    <a
      className="skip"
      href={`#${CONTENT}`}
      onClick={(event) => {
        event.preventDefault();
        const content = document.getElementById(CONTENT);
        if (content) focusOn(content);
      }}
    >
      Skip to the content
    </a>
  );
}

export function Layout({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [isHelpOpen, closeHelp] = useShortcuts(navigate);
  const { isExpired } = useConnection();
  useFocusOnNavigation(path);

  return (
    <>
      <SkipLink />
      <Header onProblem={(text) => setProblem(text === undefined ? undefined : { text, path })} />
      <main>
        <div className="notices" role="status">
          <OfflineBanner />
          {isExpired && (
            <Suspense>
              <ExpiredDialog />
            </Suspense>
          )}
          {problem !== undefined && problem.path === path && (
            <Alert type="warning" header="Nothing found" dismissible onDismiss={() => setProblem(undefined)}>
              {problem.text}
            </Alert>
          )}
        </div>
        <div id={CONTENT}>{children}</div>
      </main>
      {isHelpOpen && (
        <Suspense>
          <ShortcutHelp onDismiss={closeHelp} />
        </Suspense>
      )}
    </>
  );
}
