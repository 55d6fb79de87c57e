/** In place of the console, when it cannot sign in. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { BASE } from '../session/config.ts';

export function CannotStart({ error }: { readonly error: unknown }) {
  return (
    <main>
      <Alert type="error" header="The console cannot start" action={<Button href={`${BASE}/`}>Sign in again</Button>}>
        {error instanceof Error ? error.message : String(error)}
      </Alert>
    </main>
  );
}
