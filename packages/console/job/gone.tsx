/** Shown instead of a job that is unknown or has expired. */
import Alert from '@cloudscape-design/components/alert';
import { ApiError } from '../api/error.ts';
import { Link } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';

interface Props {
  readonly endpoint: string;
  readonly id: string;
  readonly error: unknown;
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : '');

export function JobGone({ endpoint, id, error }: Props) {
  const code = codeOf(error);
  if (code === 'ENDPOINT_NOT_FOUND')
    return (
      <Alert type="warning" header="The endpoint is not deployed">
        The service has no endpoint <strong>{endpoint}</strong>. <Link to={paths.overview()}>Show all endpoints</Link>
      </Alert>
    );
  return (
    <Alert
      type="warning"
      header={code === 'JOB_EXPIRED' ? 'The result of this job has expired' : 'The service does not have this job'}
    >
      <p>
        Job <code>{id}</code> of endpoint {endpoint}{' '}
        {code === 'JOB_EXPIRED' ? 'has ended, and its result has expired.' : 'is unknown. Its record may have expired.'}
      </p>
      <p>
        Results are kept for 30 minutes after the end of a job from /run, for 60 seconds after /runsync and OpenAI
        calls, or for a shorter time that the client requested. To keep a result longer, use a webhook or read the
        result in time.
      </p>
      <Link to={paths.endpoint(endpoint)}>Show the jobs of {endpoint}</Link>
    </Alert>
  );
}
