/** Mutants of the sums of endpoints. */
import { type Mutant, mutant } from './mutant.ts';

const SUM = 'test/usage/sum.test.ts';
const TRAFFIC = 'test/usage/random-time.test.ts';
const TIME = 'test/usage/worker-time.test.ts';

export const usageMutants: readonly Mutant[] = [
  mutant('an end with an earlier time is not counted')
    .replace('core/usage/sum.ts', '...late.rows.map((job) => ({ at: job.storedAt, job })),', '')
    .killedBy(SUM, 'with an earlier time'),
  mutant('an event that arrives after the stop of a worker lets it live again')
    .replace('core/fleet/observe.ts', "...(lastStatus === 'STOPPED' && { stoppedAt }),", '')
    .killedBy(SUM, 'arrives after its stop'),
  mutant('a worker whose stop was lost costs for ever')
    .replace(
      'core/usage/sum.ts',
      'if (begin === undefined || isLost) return [];',
      'if (begin === undefined) return [];',
    )
    .killedBy(SUM, 'if no event says that it stopped'),
  mutant('jobs that run on one worker each have its whole time')
    .replace('core/usage/worker-time.ts', 'length / active.size', 'length')
    .killedBy(TIME, 'to the millisecond'),
  mutant('the attempts of killed workers cost nothing')
    .replace('core/usage/sum.ts', '...attempts.rows.flatMap((attempt) => runOf(attempt, attempt.endedAt)),', '')
    .killedBy(TRAFFIC, 'of three quarters of an hour'),
  mutant('a job costs nothing until it ends')
    .replace('core/usage/sum.ts', '...running.flatMap((job) => runOf(job, job.executionDeadline)),', '')
    .killedBy(TRAFFIC, 'of three quarters of an hour'),
  mutant('the costs of an open day contain its hours twice')
    .replace('core/usage/costs.ts', "read('day', first, last)", "read('day', first, to)")
    .killedBy(TRAFFIC, 'of three quarters of an hour'),
  mutant('a percentile is the end of its bucket')
    .replace('core/usage/histogram.ts', '(2 * GROWTH ** bucket) / (GROWTH + 1)', 'GROWTH ** bucket')
    .killedBy(TIME, 'within 10 %'),
  mutant('all endpoints are summed each minute')
    .replace('core/usage/sweep.ts', "isQuiet(endpoint) && beginOf(now, 'minute') % QUIET_EVERY !== 0", 'false')
    .killedBy(SUM, 'every five minutes'),
];
