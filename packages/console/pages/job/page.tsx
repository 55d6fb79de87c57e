/** Shows one job: its times, input and output, and the actions on it. */
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { useParams } from 'wouter';
import { JobActions } from '../../job/actions.tsx';
import { Facts } from '../../job/facts.tsx';
import { JobGone } from '../../job/gone.tsx';
import { hasEnded, type Job } from '../../job/job.ts';
import { submittedAt } from '../../job/kept.ts';
import { opensOn } from '../../job/opens-on.ts';
import { JobState } from '../../job/state.tsx';
import { useEndSeen } from '../../job/use-end-seen.ts';
import { useEnds } from '../../job/use-ends.ts';
import { isGone, useJob } from '../../job/use-job.ts';
import { useStream } from '../../job/use-stream.ts';
import { waterfall } from '../../job/waterfall.ts';
import { Waterfall } from '../../job/waterfall-view.tsx';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';
import './page.css';
import '../../json/json.css';
import { count } from '../../units.ts';
import { ExpiredJob } from './expired.tsx';
import { JobTabs } from './tabs.tsx';

interface Props {
  readonly endpoint: string;
  readonly job: Job;
}

function Loaded({ endpoint, job }: Props) {
  const { id, workerId, attempts } = job;
  const endSeenAt = useEndSeen(job);
  const isTaken = job.status !== 'IN_QUEUE' && attempts > 0;
  const { data: ends = [] } = useEnds(endpoint, id, job, hasEnded(job) || attempts > (isTaken ? 1 : 0));
  const stream = useStream(endpoint, job, isTaken ? 'first' : 'none');
  const chunks = stream.data?.count ?? 0;
  const isStreamKnown = !isTaken || stream.data !== undefined || stream.error !== null;
  const said = stream.data?.isComplete ? `${count(chunks)} chunk${chunks === 1 ? '' : 's'}` : 'Streams';
  const steps = waterfall(job, ends, chunks > 0 ? said : '');
  return (
    <SpaceBetween size="l">
      <JobState job={job} endSeenAt={endSeenAt} />
      <Container>
        <SpaceBetween size="m">
          <Facts endpoint={endpoint} id={id} worker={workerId} end={hasEnded(job) ? ends.at(-1) : undefined} />
          <Waterfall endpoint={endpoint} id={id} steps={steps} />
        </SpaceBetween>
      </Container>
      <JobTabs
        endpoint={endpoint}
        id={id}
        job={job}
        attempts={steps.flatMap(({ attempt }) => attempt ?? [])}
        usual={isStreamKnown ? opensOn(job, { hasStreamed: chunks > 0, sawEnd: endSeenAt !== undefined }) : undefined}
        record={job.text}
      />
    </SpaceBetween>
  );
}

/** Shows what the history keeps of a job that the service has removed. */
function Removed({ endpoint, id, error }: { readonly endpoint: string; readonly id: string; readonly error: unknown }) {
  // The history refuses an id that is not of the service.
  const isIssued = submittedAt(id) !== undefined;
  const { data: ends, error: readError } = useEnds(endpoint, id, undefined, isIssued);
  const end = ends?.at(-1);
  if (end && ends) return <ExpiredJob endpoint={endpoint} id={id} ends={ends} end={end} />;
  return ends || readError || !isIssued ? <JobGone endpoint={endpoint} id={id} error={error} /> : <Loading />;
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
        actions={
          <JobActions endpoint={endpoint} id={id} job={isGone(error) ? undefined : job} onError={setCallError} />
        }
      >
        <span className="job-id">{id}</span>
      </Header>
      {callError !== undefined && <Failure error={callError} />}
      {job && error && isGone(error) && <JobGone endpoint={endpoint} id={id} error={error} />}
      {job && error && !isGone(error) && <NotUpdated error={error} since={dataUpdatedAt} />}
      {job && <Loaded key={id} endpoint={endpoint} job={job} />}
      {!job && !error && <Loading />}
      {!job && error && isGone(error) && <Removed endpoint={endpoint} id={id} error={error} />}
      {!job && error && !isGone(error) && <Failure error={error} onRetry={() => void refetch()} />}
    </SpaceBetween>
  );
}
