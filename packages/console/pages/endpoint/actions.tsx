/** Actions on an endpoint. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Endpoint } from '../../api/management-types.ts';
import { BASE } from '../../session/config.ts';
import { usePermission } from '../../session/permission.ts';
import { Failure } from '../../shell/failure.tsx';
import { paths } from '../../shell/paths.ts';
import { type Outcome, ResumeButton } from './resume-button.tsx';

const PurgeDialog = lazy(() => import('./purge-dialog.tsx'));

interface Props {
  readonly id: string;
  /** Undefined while it loads. */
  readonly endpoint: Endpoint | undefined;
  readonly onResumed: (outcome: Outcome) => void;
}

export function Actions({ id, endpoint, onResumed }: Props) {
  const [, navigate] = useLocation();
  const [isPurging, setPurging] = useState(false);
  const purge = usePermission('purge-queue');
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ResumeButton endpoint={id} onDone={onResumed} />
      <Button {...(purge.disabled ? purge : { disabled: !endpoint })} onClick={() => setPurging(true)}>
        Purge
      </Button>
      <Button
        variant="primary"
        href={`${BASE}${paths.playground(id)}`}
        onFollow={(event) => {
          event.preventDefault();
          navigate(paths.playground(id));
        }}
      >
        Playground
      </Button>
      {isPurging && endpoint && (
        <Suspense>
          <PurgeDialog endpoint={endpoint} onClose={() => setPurging(false)} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}

interface ResumedProps {
  readonly id: string;
  readonly outcome: Outcome | undefined;
  readonly onDismiss: () => void;
}

/** Shows the outcome of Resume. */
export function Resumed({ id, outcome, onDismiss }: ResumedProps) {
  if (!outcome) return null;
  const { resumed, error } = outcome;
  if (!resumed) return <Failure error={error} />;
  const { backedOff, reason } = resumed;
  if (!backedOff)
    return (
      <Alert type="info" header={`${id} had not backed off`} dismissible onDismiss={onDismiss}>
        {reason && `${reason} still keeps workers from starting, which Resume does not change. `}
        Only a release that was rolled back is retried.
      </Alert>
    );
  return (
    <Alert type="success" header={`${id} tries to start workers again`} dismissible onDismiss={onDismiss}>
      The endpoint had backed off: {reason ?? 'several workers had failed'}. Within a minute it starts all the workers
      that its jobs need, and retries a release that was rolled back. The reason stays until a worker shows that it is
      over.
    </Alert>
  );
}
