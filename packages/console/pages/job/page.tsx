/** Shows one job: its times, input and output, and the actions on it. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { useParams } from 'wouter';
import { JobActions } from '../../job/actions.tsx';
import { JobGone } from '../../job/gone.tsx';
import type { Job } from '../../job/job.ts';
import { submittedAt } from '../../job/kept.ts';
import { Phases } from '../../job/phases.tsx';
import { JobState } from '../../job/state.tsx';
import { JobStatus } from '../../job/status.tsx';
import { useEndSeen } from '../../job/use-end-seen.ts';
import { isGone, useJob } from '../../job/use-job.ts';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { Time } from '../../shell/time.tsx';
import { useTitle } from '../../shell/title.ts';
import './page.css';
import '../../json/json.css';
import { JobTabs } from './tabs.tsx';

function Submitted({ id }: { readonly id: string }) {
  const at = submittedAt(id);
  return at === undefined ? '–' : <Time at={at} />;
}

function Summary({ job }: { readonly job: Job }) {
  return (
    <Container>
      <SpaceBetween size="m">
        <KeyValuePairs
          columns={4}
          items={[
            { label: 'Submitted', value: <Submitted id={job.id} /> },
            { label: 'Status', value: <JobStatus status={job.status} code={job.code} /> },
            { label: 'Attempts', value: String(job.attempts) },
            { label: 'Webhook', value: job.webhook?.state ?? '–' },
          ]}
        />
        <Phases job={job} />
      </SpaceBetween>
    </Container>
  );
}

/** Placeholder with the height of the loaded page. */
function Loading() {
  return (
    <>
      <div className="job-loading-state" />
      <Container>
        <div className="job-loading-summary">
          <StatusIndicator type="loading">Loading the job</StatusIndicator>
        </div>
      </Container>
      <div className="job-tabs" />
    </>
  );
}

export default function Page() {
  const { endpoint = '', job: id = '' } = useParams<{ endpoint: string; job: string }>();
  const { data: job, error, dataUpdatedAt, refetch } = useJob(endpoint, id);
  const [callError, setCallError] = useState<unknown>();
  const endSeenAt = useEndSeen(job);
  useTitle(job ? `${job.status} ${id}` : id, endpoint);

  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={
          <>
            Job of endpoint <Link to={paths.endpoint(endpoint)}>{endpoint}</Link>
          </>
        }
        actions={<JobActions endpoint={endpoint} job={isGone(error) ? undefined : job} onError={setCallError} />}
      >
        <span className="job-id">{id}</span>
      </Header>
      {callError !== undefined && <Failure error={callError} />}
      {job && error && isGone(error) && <JobGone endpoint={endpoint} id={id} error={error} />}
      {job && error && !isGone(error) && <NotUpdated error={error} since={dataUpdatedAt} />}
      {job ? (
        <SpaceBetween size="l">
          <JobState job={job} endSeenAt={endSeenAt} />
          <Summary job={job} />
          <JobTabs endpoint={endpoint} job={job} />
        </SpaceBetween>
      ) : (
        <Box>
          {!error && <Loading />}
          {error && isGone(error) && <JobGone endpoint={endpoint} id={id} error={error} />}
          {error && !isGone(error) && <Failure error={error} onRetry={() => void refetch()} />}
        </Box>
      )}
    </SpaceBetween>
  );
}
