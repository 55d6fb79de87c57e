/** Describes the state of a job: why it waits and what helps, its error, or how long its result is kept. */
import './job.css';
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { Sentence } from '../endpoint/sentence.tsx';
import { waitReasons } from '../endpoint/wait-reasons.ts';
import { seen } from '../json/display.ts';
import { Time } from '../shell/time.tsx';
import { count, duration } from '../units.ts';
import { endHelp } from './ends.ts';
import type { Job } from './job.ts';
import { keptMinutes, keptUntil } from './kept.ts';
import { WorkerErrorView } from './worker-error-view.tsx';

interface Props {
  readonly job: Job;
  /** When the page saw the job end, in milliseconds since the epoch. */
  readonly endSeenAt: number | undefined;
}

function Kept({ job, endSeenAt }: Props) {
  const until = keptUntil(job, endSeenAt);
  const minutes = keptMinutes(job.id);
  const span = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return (
    <Box variant="small" color="text-body-secondary">
      {until !== undefined && (
        <>
          Kept until <Time at={until} short />:{' '}
        </>
      )}
      {until === undefined ? 'The' : 'the'} service keeps the result for {span} after the end, or for a shorter time
      that the client requested.
    </Box>
  );
}

function place(position: number | undefined): string {
  if (position === undefined) return '';
  if (position === 1) return ', next in the queue';
  return `, about ${count(position - 1)} job${position === 2 ? '' : 's'} ahead`;
}

function Waits({ job }: { readonly job: Job }) {
  const { waitReason, waitDetail, queuePosition } = job;
  const { means, helps } = (waitReason && waitReasons[waitReason]) ?? { means: '', helps: '' };
  return (
    <Alert type="info" header={`Waiting${waitReason ? `: ${waitReason}` : ''}${place(queuePosition)}`}>
      {/* The detail explains the reason in the words of the provider. */}
      <div>{waitDetail ? <Sentence text={seen(waitDetail)} /> : means}</div>
      {helps && (
        <div>
          <strong>What helps:</strong> {helps}
        </div>
      )}
    </Alert>
  );
}

function content({ job, endSeenAt }: Props): ReactNode {
  const { status, code = status, error, workerId, delayTime, executionTime } = job;
  const kept = <Kept job={job} endSeenAt={endSeenAt} />;
  switch (status) {
    case 'IN_QUEUE':
      return <Waits job={job} />;
    case 'IN_PROGRESS':
      return (
        <Alert type="info" header="Running">
          <div>
            {workerId ? `Worker ${workerId} has had the job for ${duration(executionTime)}.` : 'A worker has the job.'}
          </div>
          <Box variant="small" color="text-body-secondary">
            The Stream and Logs tabs show the output so far.
          </Box>
        </Alert>
      );
    case 'COMPLETED':
      return (
        <Alert type="success" header="Completed">
          <div>
            The job waited for {duration(delayTime)} and ran for {duration(executionTime)}.
          </div>
          {kept}
        </Alert>
      );
    case 'CANCELLED':
      return (
        <Alert type="info" header={code === status ? 'Cancelled' : `Cancelled: ${code}`}>
          <div>{endHelp[code]}</div>
          {kept}
        </Alert>
      );
    default:
      return (
        <Alert type="error" header={`${status === 'FAILED' ? 'Failed' : 'Timed out'}: ${code}`}>
          {error !== undefined && <WorkerErrorView error={error} />}
          <div>{endHelp[code]}</div>
          {kept}
        </Alert>
      );
  }
}

export const JobState = (props: Props) => <div className="job-state">{content(props)}</div>;
