/** Shows the stream of a job as the text of its tokens or as chunks in order of arrival. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useState } from 'react';
import { CopyButton } from '../json/copy.tsx';
import { linesOf, preview } from '../json/display.ts';
import { save } from '../json/save.ts';
import { TextView } from '../json/text-view.tsx';
import { Failure, NotUpdated } from '../shell/failure.tsx';
import { count } from '../units.ts';
import { outputsOf } from './chunks.ts';
import { hasEnded, type Job } from './job.ts';
import { useStream } from './use-stream.ts';
import { useStreamText } from './use-stream-text.ts';

interface Props {
  readonly endpoint: string;
  readonly job: Job;
}

/** Maximum number of characters of a chunk in the list. */
const SHOWN = 1000;

const HEIGHT = 360;

/** Joins all outputs into one JSON array. */
const arrayOf = (outputs: readonly string[]) => `[\n${outputs.join(',\n')}\n]\n`;

function Outputs({
  outputs,
  id,
  follows,
}: {
  readonly outputs: readonly string[];
  readonly id: string;
  readonly follows: boolean;
}) {
  const text = useStreamText(outputs);
  const [view, setView] = useState<'text' | 'chunks'>('text');
  const shown = text === undefined ? 'chunks' : view;
  const lines = useMemo(
    () =>
      shown === 'text'
        ? linesOf(text ?? '')
        : outputs.map((output, n) => `${n}  ${preview(output, 0, output.length, SHOWN)}`),
    [shown, text, outputs],
  );
  return (
    <>
      <div className="json-bar">
        {text !== undefined && (
          <SegmentedControl
            label="Show the stream as"
            selectedId={shown}
            options={[
              { id: 'text', text: 'Text' },
              { id: 'chunks', text: 'Chunks' },
            ]}
            onChange={({ detail }) => setView(detail.selectedId === 'chunks' ? 'chunks' : 'text')}
          />
        )}
        <div className="json-bar-end">
          <CopyButton text={() => (shown === 'text' ? (text ?? '') : arrayOf(outputs))}>Copy all</CopyButton>
          <Button
            iconName="download"
            ariaLabel="Download the stream"
            onClick={() =>
              shown === 'text'
                ? save(`stream-${id}.txt`, text ?? '', 'text/plain')
                : save(`stream-${id}.json`, arrayOf(outputs))
            }
          >
            Download
          </Button>
        </div>
      </div>
      <TextView lines={lines} label={shown === 'text' ? 'Streamed text' : 'Chunks'} follows={follows} height={HEIGHT} />
    </>
  );
}

export function StreamView({ endpoint, job }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useStream(endpoint, job);
  const outputs = useMemo(() => outputsOf(data?.chunks ?? []), [data]);
  if (!data) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <StatusIndicator type="loading">Loading the stream</StatusIndicator>;
  }
  const follows = !hasEnded(job);
  return (
    <SpaceBetween size="s">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <StatusIndicator type={follows ? 'in-progress' : 'success'}>
        {count(outputs.length)} chunk{outputs.length === 1 ? '' : 's'} {follows ? 'so far' : 'in all'}
        {job.attempts > 1 && `, from attempt ${job.attempts}`}
      </StatusIndicator>
      {outputs.length === 0 && !follows ? (
        <Box color="text-body-secondary">This job has no chunks. Its result or error is in the output.</Box>
      ) : (
        <Outputs outputs={outputs} id={job.id} follows={follows} />
      )}
    </SpaceBetween>
  );
}
