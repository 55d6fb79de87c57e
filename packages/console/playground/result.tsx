/** Shows the last run of the playground: its phases, stream and output. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Tabs from '@cloudscape-design/components/tabs';
import { CancelButton } from '../job/actions.tsx';
import { JobGone } from '../job/gone.tsx';
import type { Job } from '../job/job.ts';
import { LogView } from '../job/log-view.tsx';
import { OutputView } from '../job/output-view.tsx';
import { JobState } from '../job/state.tsx';
import { JobStatus } from '../job/status.tsx';
import { StreamView } from '../job/stream-view.tsx';
import { useEndSeen } from '../job/use-end-seen.ts';
import { isGone, useJob } from '../job/use-job.ts';
import { useStream } from '../job/use-stream.ts';
import { waterfall } from '../job/waterfall.ts';
import { Waterfall } from '../job/waterfall-view.tsx';
import { Failure, NotUpdated } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import { useChoice } from '../shell/parameter.ts';
import { paths } from '../shell/paths.ts';

interface Props {
  readonly endpoint: string;
  /** Undefined before the first run, and until the id of a new run is known. */
  readonly id: string | undefined;
  readonly isSending: boolean;
  readonly onError: (error: unknown) => void;
}

const views = ['auto', 'output', 'stream', 'logs'] as const;

function Parts({ endpoint, job }: { readonly endpoint: string; readonly job: Job }) {
  const [chosen, choose] = useChoice('view', 'auto', views);
  const stream = useStream(endpoint, job, chosen === 'auto' ? 'first' : 'none');
  const hasStreamed = (stream.data?.count ?? 0) > 0;
  const view = chosen === 'auto' ? (hasStreamed ? 'stream' : 'output') : chosen;
  return (
    <Tabs
      ariaLabel="Parts of the result"
      activeTabId={view}
      onChange={({ detail }) => choose(detail.activeTabId)}
      tabs={[
        { id: 'output', label: 'Output', content: view === 'output' && <OutputView job={job} /> },
        { id: 'stream', label: 'Stream', content: view === 'stream' && <StreamView endpoint={endpoint} job={job} /> },
        { id: 'logs', label: 'Logs', content: view === 'logs' && <LogView endpoint={endpoint} job={job} /> },
      ]}
    />
  );
}

export function Result({ endpoint, id, isSending, onError }: Props) {
  const { data: job, error, dataUpdatedAt, refetch } = useJob(endpoint, id);
  const endSeenAt = useEndSeen(job);
  return (
    <div className="playground-result">
      <Container
        header={
          <Header
            actions={id !== undefined && <CancelButton endpoint={endpoint} job={job} onError={onError} />}
            description={id !== undefined && <Link to={paths.job(endpoint, id)}>{id}</Link>}
          >
            Result {job && <JobStatus status={job.status} code={job.code} />}
          </Header>
        }
      >
        {id === undefined && isSending && <StatusIndicator type="loading">Sending the job</StatusIndicator>}
        {id === undefined && !isSending && (
          <Box color="text-body-secondary">Run the job to see its progress and its result here.</Box>
        )}
        {id !== undefined && !job && !error && <StatusIndicator type="loading">Loading the job</StatusIndicator>}
        {id !== undefined && !job && error && isGone(error) && <JobGone endpoint={endpoint} id={id} error={error} />}
        {!job && error && !isGone(error) && <Failure error={error} onRetry={() => void refetch()} />}
        {job && (
          <SpaceBetween size="m">
            {error && !isGone(error) && <NotUpdated error={error} since={dataUpdatedAt} />}
            <JobState job={job} endSeenAt={endSeenAt} />
            <Waterfall endpoint={endpoint} id={job.id} steps={waterfall(job, [])} />
            <Parts endpoint={endpoint} job={job} />
          </SpaceBetween>
        )}
      </Container>
    </div>
  );
}
