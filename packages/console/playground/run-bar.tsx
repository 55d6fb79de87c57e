/** Buttons that run a job, and the state of a run that has no job yet. */
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { usePermission } from '../session/permission.ts';
import { duration } from '../units.ts';
import type { Run, Sending } from './use-run.ts';

interface Props {
  readonly run: Run;
  readonly isKept: boolean;
  readonly onRun: (sending: Sending) => void;
}

function textOf({ sending, sentAt, refusedUntil }: Run, isKept: boolean, now: number): string {
  const pause = Math.ceil((refusedUntil - now) / 1000);
  if (pause > 0) return `You can run the next job in ${pause} s.`;
  if (sending === 'runsync') return `Waiting for the result: ${duration(Math.floor((now - sentAt) / 1000) * 1000)}`;
  if (sending === 'run') return 'Sending';
  return isKept ? 'Ctrl-Enter runs the job' : 'Ctrl-Enter runs the job. The input is too large to survive a reload.';
}

/** Returns the milliseconds since the epoch, updated every second if `isAsked`. */
export function useNow(isAsked: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isAsked) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isAsked]);
  return now;
}

export function RunBar({ run, isKept, onRun }: Props) {
  const { sending, refusedUntil } = run;
  const now = useNow(sending !== undefined || refusedUntil > Date.now());
  const blocker = refusedUntil > now ? 'Too many runs. Wait a moment.' : undefined;
  const mayRun = usePermission('run', blocker);
  const mayWait = usePermission('runsync', blocker);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="primary" loading={sending === 'run'} {...mayRun} onClick={() => onRun('run')}>
        Run
      </Button>
      <Button loading={sending === 'runsync'} {...mayWait} onClick={() => onRun('runsync')}>
        Run and wait
      </Button>
      {sending === 'runsync' && (
        <Button variant="link" onClick={run.stopWaiting}>
          Stop waiting
        </Button>
      )}
      <span className="run-note" role="status">
        {blocker === undefined && mayRun.disabledReason ? mayRun.disabledReason : textOf(run, isKept, now)}
      </span>
    </SpaceBetween>
  );
}
