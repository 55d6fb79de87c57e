/** Steps of clients: submit, read, cancel, shorten, retry, purge. */
import type { Job } from '../../../../core/jobs/job.ts';
import { answerOf, isKept, isOver, isRemoved, observed, readable } from './monitor.ts';
import type { Setting } from './setting.ts';
import { at, CLIENT, jobName, type State, SWEEPER, spent, TICK, type Tracked, withJob } from './state.ts';
import { type Emit, finalizing, hasRoom, issue, messageOf, sent } from './step.ts';

export function clientSteps(setting: Setting, state: State, emit: Emit): void {
  for (const [job, tracked] of state.jobs.entries()) {
    submitSteps(setting, state, job, tracked, emit);
    const { stored } = tracked;
    if (!stored) continue;
    if (tracked.acknowledged && isKept(stored, state.now)) {
      readSteps(setting, state, job, tracked, stored, emit);
      if (!isOver(stored)) cancelSteps(setting, state, job, stored, emit);
      shortenSteps(setting, state, job, stored, emit);
    }
    retrySteps(setting, state, job, tracked, stored, emit);
  }
  purgeSteps(setting, state, emit);
}

/** Stores the job, sends its message, and then acknowledges the submission. */
function submitSteps(setting: Setting, state: State, job: number, { client, stored }: Tracked, emit: Emit): void {
  const name = jobName(job);
  // The second job is submitted after the first, because the two jobs are interchangeable.
  if (client === 'absent' && (job === 0 || at(state.jobs, job - 1).client !== 'absent')) {
    const submitting = withJob(state, job, { client: 'submitting' });
    for (const generation of readable(state))
      issue(
        setting,
        submitting,
        { by: CLIENT, purpose: 'submit', name: 'create', job, generation },
        `${name} is submitted in generation ${generation} and stored`,
        emit,
      );
  }
  if (client === 'stored' && stored && hasRoom(setting, state)) {
    const resent = sent(state, messageOf(job, 0));
    emit({
      label: `the message of ${name} is sent and ${name} acknowledged`,
      byClient: true,
      state: withJob(resent, job, { client: 'idle', acknowledged: true }),
    });
  }
}

/** A reader stores and receives the final status of a job. The sweeper only stores it. */
function readSteps(setting: Setting, state: State, job: number, tracked: Tracked, stored: Job, emit: Emit): void {
  const name = jobName(job);
  for (const generation of readable(state)) {
    const view = observed(stored, generation, state);
    if (!isOver(view) || !isKept(view, state.now)) continue;
    const answer = answerOf(view);
    const isStored = isOver(stored);
    if (tracked.answer === undefined && (isStored || !setting.protocol.finalizesOnRead)) {
      emit({
        label: `a client reads that ${name} is ${view.status}`,
        state: withJob(state, job, { answer, answeredBy: 'read' }),
      });
    }
    if (isStored) continue;
    const write = { job, ...finalizing(state, view, generation) };
    if (tracked.answer === undefined && setting.protocol.finalizesOnRead)
      issue(
        setting,
        state,
        { by: CLIENT, purpose: 'answer', ...write },
        `a client reads ${name}, whose time is over`,
        emit,
      );
    if (generation === state.generation)
      issue(
        setting,
        state,
        { by: SWEEPER, purpose: 'finalize', ...write },
        `the sweeper stores the final status of ${name}`,
        emit,
      );
  }
}

function cancelSteps(setting: Setting, state: State, job: number, stored: Job, emit: Emit): void {
  if (state.left.cancels === 0) return;
  for (const generation of readable(state)) {
    // A job whose time is over is read instead of cancelled. `readSteps` has that step.
    if (isOver(observed(stored, generation, state))) continue;
    const name = stored.status === 'IN_QUEUE' ? 'cancelQueued' : 'cancelRunning';
    const write = { by: CLIENT, purpose: 'cancel', name, job, generation } as const;
    issue(setting, spent(state, 'cancels'), write, `a client cancels ${jobName(job)}`, emit);
  }
}

/** A client shortens the retention of a result. The table decides whether the write applies. */
function shortenSteps(setting: Setting, state: State, job: number, stored: Job, emit: Emit): void {
  if (state.left.shortenings === 0) return;
  const ttl = setting.bounds.resultTtl * TICK;
  const facts =
    'finishedAt' in stored
      ? { $finishedAt: stored.finishedAt, $expiresAt: state.now + ttl }
      : { $queuedAt: stored.queuedAt, $retention: ttl };
  const name = 'finishedAt' in stored ? 'expireSooner' : 'limitRetention';
  for (const generation of readable(state)) {
    // If the job's time is over, its final status is stored first. `readSteps` has that step.
    if (!isOver(stored) && isOver(observed(stored, generation, state))) continue;
    const write = { by: CLIENT, purpose: 'shorten', name, job, generation, facts } as const;
    const label = `a client shortens the retention of ${jobName(job)}`;
    issue(setting, spent(state, 'shortenings'), write, label, emit);
  }
}

/**
 * Reads and checks the job, sends a delayed message, writes, sends the immediate message, and acknowledges the
 * retry.
 */
function retrySteps(setting: Setting, state: State, job: number, tracked: Tracked, stored: Job, emit: Emit): void {
  const { insuresRetry, checksExpiry } = setting.protocol;
  const name = jobName(job);
  const ended = stored.status === 'FAILED' || stored.status === 'TIMED_OUT';
  const allowed = ended && (isKept(stored, state.now) || !checksExpiry);
  if (tracked.client === 'idle' && allowed && state.left.retries > 0 && (!insuresRetry || hasRoom(setting, state))) {
    const retrying = withJob(spent(state, 'retries'), job, { client: 'retrying' });
    const message = { job, attempt: stored.attempt, until: state.now + TICK, by: CLIENT };
    const insured = insuresRetry ? sent(retrying, message) : retrying;
    for (const generation of readable(state))
      issue(
        setting,
        insured,
        { by: CLIENT, purpose: 'retry', name: 'retry', job, generation },
        `a client retries ${name} in generation ${generation}${insuresRetry ? ', and a delayed message is sent' : ''}`,
        emit,
      );
  }
  if (tracked.client === 'retried' && hasRoom(setting, state)) {
    const prompt = sent(state, messageOf(job, stored.attempt));
    const label = `the immediate message of the retried ${name} is sent and the retry acknowledged`;
    emit({ label, byClient: true, state: withJob(prompt, job, { client: 'idle' }) });
  }
}

/** Raises the generation, waits until no caller uses the old one, and answers. */
function purgeSteps(setting: Setting, state: State, emit: Emit): void {
  const { waitsForPermits } = setting.protocol;
  if (state.purge === 'none' && setting.bounds.purges > 0) {
    const raised: State = {
      ...state,
      generation: state.generation + 1,
      purgedAt: state.now,
      purge: 'called',
      stale: true,
      jobs: state.jobs.map((tracked) => ({ ...tracked, cut: cutOf(state, tracked) })),
    };
    const counting = setting.protocol.countsAfterWait ? raised : counted(setting, raised);
    const answers = waitsForPermits ? counting : returned(setting, counting);
    emit({
      label: `a client purges the queue${waitsForPermits ? '' : ', and gets the answer'}`,
      byClient: true,
      state: answers,
    });
  }
  if (!state.stale || (waitsForPermits && isSpanned(setting, state))) return;
  const lapsed = { ...state, stale: false };
  if (state.purge === 'called')
    emit({ label: 'the purge has waited and answers', byClient: true, state: returned(setting, lapsed) });
  else emit({ label: 'all callers have the new generation', byClient: true, state: lapsed });
}

/** Returns how the purge affects the job. A running job whose handler has not started may be removed or spared. */
function cutOf(state: State, { cut, stored, acknowledged, client, started }: Tracked): Tracked['cut'] {
  if (acknowledged && client === 'idle' && stored?.status === 'IN_QUEUE')
    return isOver(observed(stored, state.generation, state)) ? cut : 'waiting';
  return stored?.status === 'IN_PROGRESS' && started ? 'running' : cut;
}

const returned = (setting: Setting, state: State): State => ({
  ...state,
  purge: 'returned',
  jobs: (setting.protocol.countsAfterWait ? counted(setting, state) : state).jobs.map((tracked) => {
    if (tracked.cut === 'waiting') return { ...tracked, cut: 'removed' };
    return tracked.cut === 'running' ? { ...tracked, cut: 'spared' } : tracked;
  }),
});

/**
 * Counts the jobs of the old generation that wait or are stored as purged, as the ledger does. A write across the purge
 * can change what was counted, so nothing is counted then.
 */
const counted = ({ surroundings }: Setting, state: State): State =>
  surroundings.acrossPurge === 'none'
    ? { ...state, jobs: state.jobs.map((tracked) => ({ ...tracked, counted: isRemoved(state, tracked.stored) })) }
    : state;

/** Returns whether a call or a worker still uses the old generation, so that the purge has to wait. */
function isSpanned({ surroundings }: Setting, state: State): boolean {
  if (surroundings.acrossPurge === 'all') return false;
  const isOld = (generation: number) => generation < state.generation;
  const calls = state.calls.filter(
    ({ generation, name }) => isOld(generation) && !(name === 'take' && surroundings.acrossPurge === 'takes'),
  );
  const workers = state.workers.filter(({ doing }) => doing && 'generation' in doing && isOld(doing.generation));
  return calls.length + workers.length > 0 || (state.sweep !== undefined && isOld(state.sweep.generation));
}
