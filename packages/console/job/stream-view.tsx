/** Shows the stream of a job as the text of its tokens or as chunks in order of arrival. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { CopyButton } from '../json/copy.tsx';
import { save } from '../json/save.ts';
import { TextView } from '../json/text-view.tsx';
import { read } from '../reading/read.ts';
import { useRead } from '../reading/use-read.ts';
import { Failure, NotUpdated } from '../shell/failure.tsx';
import { bytes, count } from '../units.ts';
import type { StreamAs, StreamLines } from './chunks.ts';
import { hasEnded, type Job } from './job.ts';
import { useStream } from './use-stream.ts';

interface Props {
  readonly endpoint: string;
  readonly job: Job;
}

interface OutputsProps {
  /** As in `StreamSoFar`. */
  readonly chunks: string;
  readonly shown: StreamLines;
  readonly as: StreamAs;
  readonly onChange: (as: StreamAs) => void;
  readonly id: string;
  readonly follows: boolean;
}

const HEIGHT = 360;

function Outputs({ chunks, shown, as, onChange, id, follows }: OutputsProps) {
  const file = () => read('streamFile', chunks, as);
  const download = async () =>
    as === 'text' ? save(`stream-${id}.txt`, await file(), 'text/plain') : save(`stream-${id}.json`, await file());
  return (
    <>
      <div className="json-bar">
        {shown.isText && (
          <SegmentedControl
            label="Show the stream as"
            selectedId={as}
            options={[
              { id: 'text', text: 'Text' },
              { id: 'chunks', text: 'Chunks' },
            ]}
            onChange={({ detail }) => onChange(detail.selectedId === 'chunks' ? 'chunks' : 'text')}
          />
        )}
        <div className="json-bar-end">
          <CopyButton text={file}>Copy all</CopyButton>
          <Button iconName="download" ariaLabel="Download the stream" onClick={() => void download()}>
            Download
          </Button>
        </div>
      </div>
      <TextView
        lines={shown.lines}
        label={as === 'text' ? 'Streamed text' : 'Chunks'}
        follows={follows}
        height={HEIGHT}
      />
    </>
  );
}

export function StreamView({ endpoint, job }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useStream(endpoint, job);
  const [view, setView] = useState<StreamAs>('text');
  const { value: shown, error: readError } = useRead('streamLines', data?.chunks, view);
  if (!data) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <StatusIndicator type="loading">Loading the stream</StatusIndicator>;
  }
  if (!shown) {
    if (readError !== undefined) return <Failure error={readError} />;
    return <StatusIndicator type="loading">Reading {bytes(data.chunks.length)}</StatusIndicator>;
  }
  const follows = !hasEnded(job);
  return (
    <SpaceBetween size="s">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <StatusIndicator type={follows ? 'in-progress' : 'success'}>
        {count(shown.count)} chunk{shown.count === 1 ? '' : 's'} {follows ? 'so far' : 'in all'}
        {job.attempts > 1 && `, from attempt ${job.attempts}`}
      </StatusIndicator>
      {shown.count === 0 && !follows ? (
        <Box color="text-body-secondary">This job has no chunks. Its result or error is in the output.</Box>
      ) : (
        <Outputs
          chunks={data.chunks}
          shown={shown}
          as={shown.isText ? view : 'chunks'}
          onChange={setView}
          id={job.id}
          follows={follows}
        />
      )}
    </SpaceBetween>
  );
}
