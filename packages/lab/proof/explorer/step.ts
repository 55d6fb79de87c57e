/** One step of the walk, and writes that are executed immediately or late. */
import type { Job } from '../../../../core/jobs/job.ts';
import type { TransitionName } from '../../../../core/jobs/transitions.ts';
import { REPORT_GRACE } from '../../../../core/limits.ts';
import type { Broken } from './monitor.ts';
import type { Setting } from './setting.ts';
import { at, type Call, jobName, type Message, type State, SWEEPER, spent, withWorker, workerName } from './state.ts';
import { land } from './writes.ts';

export interface Step {
  readonly label: string;
  readonly state: State;
  readonly row?: TransitionName | undefined;
  readonly broken?: Broken | undefined;
  /** Whether a client takes the step. No job may depend on such a step to continue. */
  readonly byClient?: boolean;
  /** The job whose handler starts. */
  readonly starts?: number;
}

export type Emit = (step: Step) => void;

export const sent = (state: State, message: Message): State => ({ ...state, messages: [...state.messages, message] });

/** Returns a message that can be received immediately. */
export const messageOf = (job: number, attempt: number): Message => ({ job, attempt, until: 0, by: SWEEPER });

/** Returns whether the bounds allow one more message. */
export const hasRoom = ({ bounds }: Setting, state: State): boolean => state.messages.length < bounds.messages;

/** Returns the facts that every use-case derives from the clock. */
export const clockFacts = (now: number) => ({ $now: now, $graceStart: now - REPORT_GRACE, $removeAfter: 1 });

type Begun = Omit<Call, 'facts' | 'readAt' | 'lapsed' | 'afterPurge' | 'heard'> & {
  readonly facts?: Partial<Call['facts']>;
};

/**
 * Starts a write of a use-case that has read the clock and the endpoint. The write is executed immediately, or
 * after other steps.
 * @param label description of the use-case's step
 */
export function issue(setting: Setting, state: State, begun: Begun, label: string, emit: Emit): void {
  const call: Call = {
    ...begun,
    facts: { ...clockFacts(state.now), $generation: begun.generation, ...begun.facts },
    readAt: state.now,
    lapsed: false,
    afterPurge: state.purge === 'returned',
    heard: true,
  };
  const byClient = ['submit', 'cancel', 'retry', 'shorten'].includes(call.purpose);
  const landed = land(setting, state, call);
  emit({ label: `${label}${landed.row ? `: ${landed.row}` : ''}`, byClient, ...landed });
  if (state.left.faults === 0 || state.calls.length >= setting.bounds.calls) return;
  const late = spent(state);
  const waiting = call.by >= 0 ? withWorker(late, call.by, { doing: { at: 'waiting' } }) : late;
  emit({ label: `${label}; the write is in flight`, byClient, state: { ...waiting, calls: [...state.calls, call] } });
}

/** Returns the write that stores the final status of a job whose time is over, as `core/jobs/find.ts` does. */
export function finalizing({ now, purgedAt }: State, view: Job, generation: number) {
  const facts = { $now: now, $purgedAt: purgedAt };
  if (view.status === 'CANCELLED') return { name: 'purge', generation, facts } as const;
  if (!('executionDeadline' in view)) return { name: 'expire', generation, facts } as const;
  return { name: 'timeout', generation, facts: { ...facts, $now: now - REPORT_GRACE } } as const;
}

const callerName = ({ by, purpose }: Call) =>
  by >= 0
    ? workerName(by)
    : ({ finalize: 'the sweeper', 'sweeper requeue': 'the sweeper' }[purpose as string] ?? 'the client');

/** Executes writes in flight, possibly twice, or after their caller saw a timeout. */
export function lateSteps(setting: Setting, state: State, emit: Emit): void {
  for (const [index, call] of state.calls.entries()) {
    const what = `the late ${call.name} of ${jobName(call.job)} by ${callerName(call)}`;
    const without = { ...state, calls: state.calls.toSpliced(index, 1) };
    const landed = land(setting, without, call);
    emit({ label: `${what} is executed${landed.row ? '' : ' and refused'}`, ...landed });
    if (state.left.faults === 0) continue;
    const again = { ...call, heard: false };
    const once = land(setting, spent(without), call);
    const both = { ...once.state, calls: [...once.state.calls, again] };
    emit({ ...once, label: `${what} is executed, and will be executed again`, state: both });
    if (call.heard && call.by >= 0) {
      const timedOut = { ...spent(state), calls: state.calls.with(index, again) };
      emit({ label: `${what} times out for its caller`, state: withWorker(timedOut, call.by, { doing: undefined }) });
    }
  }
}

/** Returns whether a worker considers its lease valid. */
export const hasLease = (state: State, worker: number): boolean =>
  (at(state.workers, worker).lease?.endsAt ?? 0) >= state.now;
