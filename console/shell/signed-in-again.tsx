/** In the window of a sign-in that another window has asked for. */
import Alert from '@cloudscape-design/components/alert';
import { useEffect } from 'react';

export function SignedInAgain() {
  useEffect(() => window.close(), []);
  return (
    <main>
      <Alert type="success" header="You are signed in">
        Close this window: the page that you came from continues.
      </Alert>
    </main>
  );
}
