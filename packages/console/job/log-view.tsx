/** Shows the log of a job: the output of its worker's container and of the agent. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { CopyButton } from '../json/copy.tsx';
import { save } from '../json/save.ts';
import { TextView } from '../json/text-view.tsx';
import { useRead } from '../reading/use-read.ts';
import { Failure, NotUpdated } from '../shell/failure.tsx';
import { count } from '../units.ts';
import { hasEnded, type LoggedJob } from './job.ts';
import { useAttemptLog, useLogs } from './use-logs.ts';
import type { Attempt } from './waterfall.ts';

interface Props {
  readonly endpoint: string;
  readonly job: LoggedJob;
}

/** Height of a log in pixels. A log that has ended can be lower. */
const HEIGHT = 420;
const MIN_HEIGHT = 180;
const LINE = 24;

/** Lines of a log that can be searched, copied and saved. */
export function Lines({
  texts,
  id,
  follows,
}: {
  readonly texts: readonly string[];
  readonly id: string;
  readonly follows: boolean;
}) {
  const [filter, setFilter] = useState('');
  const { value: found, isCurrent } = useRead('logLines', texts, filter);
  const height = follows ? HEIGHT : Math.min(HEIGHT, Math.max(MIN_HEIGHT, LINE * texts.length));
  const all = () => `${texts.join('\n')}\n`;
  return (
    <>
      <div className="json-bar">
        <div className="json-bar-search">
          <Input
            type="search"
            value={filter}
            placeholder="Filter lines"
            ariaLabel="Show only lines with this text"
            onChange={({ detail }) => setFilter(detail.value)}
          />
        </div>
        <span className="json-bar-count" role="status">
          {filter !== '' &&
            (found && isCurrent ? `${count(found.count)} of ${count(texts.length)} lines` : 'Searching')}
        </span>
        <div className="json-bar-end">
          <CopyButton text={all}>Copy all</CopyButton>
          <Button
            iconName="download"
            ariaLabel="Download the log"
            onClick={() => save(`log-${id}.txt`, all(), 'text/plain')}
          >
            Download
          </Button>
        </div>
      </div>
      <TextView lines={found?.lines ?? []} label="Log" follows={follows} height={height} />
    </>
  );
}

interface LogProps {
  readonly query: ReturnType<typeof useLogs>;
  readonly id: string;
  readonly follows: boolean;
  readonly worker?: string | undefined;
  /** What an empty log means. */
  readonly nothing: string;
}

function Log({ query: { data, error, dataUpdatedAt, refetch }, id, follows, worker, nothing }: LogProps) {
  if (!data) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <StatusIndicator type="loading">Loading the log</StatusIndicator>;
  }
  const { texts, workerId = worker, isCut } = data;
  return (
    <SpaceBetween size="s">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <StatusIndicator type={follows ? 'in-progress' : 'success'}>
        {count(texts.length)} line{texts.length === 1 ? '' : 's'} {follows ? 'so far' : 'in all'}
        {workerId && ` of worker ${workerId}`}, times in UTC
        {isCut && '. Further lines are in CloudWatch Logs'}
      </StatusIndicator>
      {texts.length === 0 ? (
        <Box color="text-body-secondary">{nothing}</Box>
      ) : (
        <Lines texts={texts} id={id} follows={follows} />
      )}
    </SpaceBetween>
  );
}

export function LogView({ endpoint, job }: Props) {
  const nothing =
    job.status === 'IN_QUEUE'
      ? 'No worker has the job yet.'
      : 'Nothing was printed for this job. Lines can arrive some seconds late.';
  return <Log query={useLogs(endpoint, job)} id={job.id} follows={!hasEnded(job)} nothing={nothing} />;
}

interface AttemptProps {
  readonly endpoint: string;
  readonly id: string;
  readonly attempt: Attempt;
}

/** Shows the log of an attempt before the last one, or of a job whose result has expired. */
export function AttemptLogView({ endpoint, id, attempt }: AttemptProps) {
  const query = useAttemptLog(endpoint, attempt);
  const nothing = 'The worker printed nothing while it had the job, or its log has expired.';
  return <Log query={query} id={id} follows={false} worker={attempt.worker} nothing={nothing} />;
}
