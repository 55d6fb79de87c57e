/** In place of the console, when it cannot sign in. */
import Alert from '@cloudscape-design/components/alert';
import { BASE } from '../session/config.ts';

export function CannotStart({ error }: { readonly error: unknown }) {
  return (
    <Alert type="error" header="The console cannot start">
      {error instanceof Error ? error.message : String(error)} <a href={`${BASE}/`}>Sign in again</a>
    </Alert>
  );
}
