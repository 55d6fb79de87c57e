/** Pages that are shown instead of the console. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useEffect } from 'react';
import { BASE } from '../session/config.ts';

/** Shown if the console cannot read its configuration or cannot sign in. */
export function CannotStart({ error }: { readonly error: unknown }) {
  return (
    <main>
      <Alert type="error" header="The console cannot start" action={<Button href={`${BASE}/`}>Sign in again</Button>}>
        {error instanceof Error ? error.message : String(error)}
      </Alert>
    </main>
  );
}

/** Shown in the window that signed in for another window. */
export function SignedInAgain() {
  useEffect(() => window.close(), []);
  return (
    <main>
      <Alert type="success" header="You are signed in">
        Close this window and continue on the page that you came from.
      </Alert>
    </main>
  );
}
