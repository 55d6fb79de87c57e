import { clientSteps } from './client-steps.ts';
import { isKept, isOver } from './monitor.ts';
import type { Setting } from './setting.ts';
import { at, initialState, type State, type Tracked } from './state.ts';
import { type Emit, lateSteps, type Step } from './step.ts';
import { sweeperSteps } from './sweeper-steps.ts';
import { workerSteps } from './worker-steps.ts';
import { withLapses } from './writes.ts';

/** Returns all possible next steps, in a fixed order. */
export function stepsOf(setting: Setting, state: State): readonly Step[] {
  const steps: Step[] = [];
  // Clients do not read jobs whose results have expired.
  const { checksExpiry } = setting.protocol;
  if (checksExpiry && state.jobs.every(({ stored }) => stored && !isKept(stored, state.now))) return steps;
  const emit: Emit = (step) => steps.push({ ...step, state: withLapses(step.state) });
  lateSteps(setting, state, emit);
  clientSteps(setting, state, emit);
  // When no job can change, only workers that still hold a job matter, because they might write.
  const areAllFinal = state.jobs.every((tracked) => checksExpiry && isFinal(state, tracked));
  workerSteps(setting, state, areAllFinal, emit);
  if (!areAllFinal) sweeperSteps(setting, state, emit);
  return steps;
}

function isFinal({ left, now }: State, { stored, client }: Tracked): boolean {
  if (!stored || !isOver(stored)) return false;
  const isRetryable = stored.status === 'FAILED' || stored.status === 'TIMED_OUT';
  return !isRetryable || !isKept(stored, now) || (left.retries === 0 && client !== 'retrying');
}

export const start = (setting: Setting): State => initialState(setting.bounds);

export const step = (setting: Setting, state: State, ordinal: number): Step => at(stepsOf(setting, state), ordinal);
