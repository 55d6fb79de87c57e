/** Shows the output of a job: its images, sounds and videos, and the whole output as JSON. */
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { JsonView } from '../json/json-view.tsx';
import { useRead } from '../reading/use-read.ts';
import { bytes } from '../units.ts';
import { hasEnded, type Job } from './job.ts';
import { MediaFile } from './media-view.tsx';

/** @param text JSON, as the worker sent it */
function Output({ text, id }: { readonly text: string; readonly id: string }) {
  // An output that is not JSON has no files.
  const { value: media = [], isCurrent } = useRead('media', text);
  // Files are above the JSON. If the JSON appeared first, it would move when the files load.
  if (!isCurrent) return <StatusIndicator type="loading">Reading {bytes(text.length)}</StatusIndicator>;
  return (
    <SpaceBetween size="m">
      {media.length > 0 && (
        <div className="media-grid">
          {media.map((file) => (
            <MediaFile key={file.start} media={file} text={text} />
          ))}
        </div>
      )}
      <JsonView text={text} label="Output" fileName={`output-${id}`} />
    </SpaceBetween>
  );
}

export function OutputView({ job }: { readonly job: Job }) {
  if (job.output !== undefined) return <Output text={job.output} id={job.id} />;
  return (
    <Box color="text-body-secondary">
      {hasEnded(job) ? 'The job ended without an output.' : 'The output appears here when the job has ended.'}
    </Box>
  );
}
