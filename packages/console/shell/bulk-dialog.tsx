/** Asks for confirmation before the same request is sent for many items, then shows the progress and the errors. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { groupedErrors, MAX_IDS, type Progress } from '../api/bulk.ts';
import { count } from '../units.ts';
import { useBulk } from './use-bulk.ts';

interface Props {
  /** Such as `Cancel 12 jobs`. */
  readonly title: string;
  /** Describes the effect, so that the user can decide. */
  readonly children: ReactNode;
  /** Label of the button that starts the run: a verb. */
  readonly verb: string;
  readonly ids: readonly string[];
  readonly request: (id: string) => Promise<unknown>;
  /** Called when the dialog is closed. */
  readonly onClose: () => void;
  /** Called when the run has ended or was stopped. */
  readonly onDone: () => void;
}

const handled = ({ done, failed }: Progress) => done + failed.length;

function Outcome({ progress, isRunning }: { readonly progress: Progress; readonly isRunning: boolean }) {
  const stopped = !isRunning && handled(progress) < progress.total;
  return (
    <SpaceBetween size="s">
      <ProgressBar
        value={progress.total === 0 ? 100 : (100 * handled(progress)) / progress.total}
        ariaLabel="Progress"
        additionalInfo={`${count(progress.done)} of ${count(progress.total)} done, ${count(progress.failed.length)} failed`}
        description={stopped ? 'Stopped. The rest is unchanged.' : undefined}
      />
      {progress.failed.length > 0 && (
        <Alert type="error" header={`${count(progress.failed.length)} failed`}>
          <ul>
            {groupedErrors(progress.failed).map(({ message, count: times }) => (
              <li key={message}>
                {count(times)} x {message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </SpaceBetween>
  );
}

export default function BulkDialog({ title, children, verb, ids, request, onClose, onDone }: Props) {
  const { progress, isRunning, start, stop } = useBulk();
  const todo = ids.slice(0, MAX_IDS);

  async function run() {
    await start(todo, request);
    onDone();
  }

  return (
    <Modal
      visible
      header={title}
      onDismiss={() => {
        stop();
        onClose();
      }}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {!progress && <Button onClick={onClose}>Do nothing</Button>}
            {!progress && (
              <Button variant="primary" onClick={() => void run()}>
                {verb}
              </Button>
            )}
            {isRunning && <Button onClick={stop}>Stop</Button>}
            {progress && !isRunning && (
              <Button variant="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      {progress ? <Outcome progress={progress} isRunning={isRunning} /> : children}
      {!progress && ids.length > MAX_IDS && (
        <Box variant="p">
          This run includes the first {MAX_IDS} of {count(ids.length)}. Start another run for the rest.
        </Box>
      )}
    </Modal>
  );
}
