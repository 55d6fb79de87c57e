/** Shows errors: instead of data that failed to load, and beside data that could not be refreshed. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { ApiError } from '../api/error.ts';
import { useTimes } from '../times.ts';

const titles: Readonly<Record<number, string>> = {
  0: 'The service cannot be reached',
  401: 'Your session does not permit this',
  404: 'Not found',
  429: 'Too many requests',
};

export const titleOf = (error: unknown): string =>
  (error instanceof ApiError && (error.needsSignIn ? 'Your session has expired' : titles[error.status])) ||
  'The request failed';

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shows an error with the service's message, its code and the request id. */
export function Failure({ error, onRetry }: FailureProps) {
  const message = error instanceof Error ? error.message : String(error);
  const facts = error instanceof ApiError ? [error.code, error.requestId && `request ${error.requestId}`] : [];
  const detail = facts.filter(Boolean).join(', ');
  return (
    <Alert type="error" header={titleOf(error)} action={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      {message} {detail && <small>({detail})</small>}
    </Alert>
  );
}

interface StaleProps {
  readonly error: unknown;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Shown beside earlier data after a refresh has failed. The page keeps the earlier data. */
export function NotUpdated({ error, since }: StaleProps) {
  const time = useTimes().timeOfDay(since);
  return (
    <Alert type="warning" header={`Not updated since ${time}`}>
      {titleOf(error)}. {error instanceof Error ? error.message : ''}
    </Alert>
  );
}
