/** Shows the error of a worker: its class and message, and its traceback when the reader opens it. */
import './job.css';
import '../json/json.css';
import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo } from 'react';
import { CopyButton } from '../json/copy.tsx';
import { linesOf, preview, seen } from '../json/display.ts';
import { TextView } from '../json/text-view.tsx';
import { bytes, count } from '../units.ts';
import { workerError } from './worker-error.ts';

interface Props {
  /** Member `error` of a job record, or the first line of it. */
  readonly error: unknown;
}

/** Maximum characters of a message on the page. Longer ones can be copied. */
const MAX_MESSAGE = 4000;

/** Height of the traceback in pixels. */
const HEIGHT = 240;

export function WorkerErrorView({ error }: Props) {
  const { message, type, traceback, origin } = useMemo(() => workerError(error), [error]);
  const lines = useMemo(() => linesOf(traceback ?? ''), [traceback]);
  const isCut = message.length > MAX_MESSAGE;
  return (
    <SpaceBetween size="xs">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className="text-block" tabIndex={0} aria-label="Error">
        {type && <strong>{preview(type, 0, type.length, MAX_MESSAGE)}: </strong>}
        {seen(message.slice(0, MAX_MESSAGE))}
        {isCut && '…'}
      </section>
      {isCut && (
        <Box variant="small">
          The message has {bytes(message.length)}. <CopyButton text={() => message}>Copy the message</CopyButton>
        </Box>
      )}
      {origin.length > 0 && (
        <Box variant="small" color="text-body-secondary">
          {origin.map(([name, value]) => `${name}: ${preview(value, 0, value.length, 100)}`).join(' · ')}
        </Box>
      )}
      {traceback !== undefined && (
        <ExpandableSection
          variant="inline"
          headerText={`Traceback, ${count(lines.length)} line${lines.length === 1 ? '' : 's'}`}
        >
          <SpaceBetween size="xs">
            <TextView lines={lines} label="Traceback" height={Math.min(HEIGHT, 22 * lines.length + 4)} />
            <CopyButton text={() => traceback}>Copy the traceback</CopyButton>
          </SpaceBetween>
        </ExpandableSection>
      )}
    </SpaceBetween>
  );
}
