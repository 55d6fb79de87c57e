/** Shows the log of a job: the output of its worker's container and of the agent. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useState } from 'react';
import type { LogLine } from '../api/job-types.ts';
import { CopyButton } from '../json/copy.tsx';
import { linesOf } from '../json/display.ts';
import { save } from '../json/save.ts';
import { TextView } from '../json/text-view.tsx';
import { Failure, NotUpdated } from '../shell/failure.tsx';
import { count } from '../units.ts';
import { hasEnded, type LoggedJob } from './job.ts';
import { logTexts } from './log-text.ts';
import { useLogs } from './use-logs.ts';

interface Props {
  readonly endpoint: string;
  readonly job: LoggedJob;
}

const HEIGHT = 420;

function Lines({
  lines,
  id,
  follows,
}: {
  readonly lines: readonly LogLine[];
  readonly id: string;
  readonly follows: boolean;
}) {
  const [filter, setFilter] = useState('');
  const texts = useMemo(() => logTexts(lines), [lines]);
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return texts.filter((text) => text.toLowerCase().includes(wanted)).flatMap((text) => linesOf(text));
  }, [texts, filter]);
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
          {filter !== '' && `${count(shown.length)} of ${count(texts.length)} lines`}
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
      <TextView lines={shown} label="Log" follows={follows} height={HEIGHT} />
    </>
  );
}

export function LogView({ endpoint, job }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useLogs(endpoint, job);
  if (!data) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <StatusIndicator type="loading">Loading the log</StatusIndicator>;
  }
  const follows = !hasEnded(job);
  const { lines, workerId, isCut } = data;
  return (
    <SpaceBetween size="s">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <StatusIndicator type={follows ? 'in-progress' : 'success'}>
        {count(lines.length)} line{lines.length === 1 ? '' : 's'} {follows ? 'so far' : 'in all'}
        {workerId && ` of worker ${workerId}`}, times in UTC
        {isCut && '. Further lines are in CloudWatch Logs'}
      </StatusIndicator>
      {lines.length === 0 ? (
        <Box color="text-body-secondary">
          {job.status === 'IN_QUEUE'
            ? 'No worker has the job yet.'
            : 'Nothing was printed for this job. Lines can arrive some seconds late.'}
        </Box>
      ) : (
        <Lines lines={lines} id={job.id} follows={follows} />
      )}
    </SpaceBetween>
  );
}
