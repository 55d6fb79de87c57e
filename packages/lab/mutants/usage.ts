/** Mutants of the sums of endpoints. */
import { type Mutant, mutant } from './mutant.ts';

const SUM = 'test/usage/sum.test.ts';
const TRAFFIC = 'test/usage/random-time.test.ts';
const TIME = 'test/usage/worker-time.test.ts';
const BUDGETS = 'test/usage/budgets.test.ts';
const EVENTS = 'test/event-bus/publish.test.ts';

export const usageMutants: readonly Mutant[] = [
  mutant('an end with an earlier time is not counted')
    .replace('core/usage/sum.ts', '...late.rows.map((job) => ({ at: job.storedAt, job })),', '')
    .killedBy(SUM, 'with an earlier time'),
  mutant('an event that arrives after the stop of a worker lets it live again')
    .replace('core/fleet/observe.ts', "...(lastStatus === 'STOPPED' && { stoppedAt }),", '')
    .killedBy(SUM, 'arrives after its stop'),
  mutant('a worker whose stop was lost costs for ever')
    .replace('core/usage/sum.ts', 'if (!isLost) return [life];', 'if (!isLost || isLost) return [life];')
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
  mutant('an endpoint that has spent its budget still starts workers')
    .replace('core/fleet/scale.ts', 'const isSpent = isBudgetSpent(endpoint, now);', 'const isSpent = false;')
    .killedBy(BUDGETS, 'starts no worker after it is spent'),
  mutant('the time since the last sum is in no budget')
    .replace('core/usage/spent.ts', 'sumsIn({ from, to: now }, facts)', 'sumsIn({ from, to: from }, facts)')
    .killedBy(BUDGETS, 'counts the time until now'),
  mutant('the budget of a key is one of each endpoint')
    .replace(
      'core/usage/budgets.ts',
      'totals.set(key, (totals.get(key) ?? 0) + dollars);',
      'totals.set(key, Math.max(totals.get(key) ?? 0, dollars));',
    )
    .killedBy(BUDGETS, 'of all endpoints together'),
  mutant('a worker takes jobs although the budget is spent')
    .replace('worker/agent/succession.ts', "if (watcher.isBudgetSpent()) return 'BUDGET_SPENT';", '')
    .killedBy('test/worker/budget.test.ts', 'while the budget is spent'),
  mutant('a spent key can retry its failed jobs')
    .replace(
      'core/submission/retry.ts',
      'assertWithinBudget(await deployed(ports, key.endpoint), job.key, ports.clock.now());',
      '',
    )
    .killedBy(BUDGETS, 'of all endpoints together'),
  mutant('an event is sent to EventBridge every minute')
    .replace('core/event-bus/publish.ts', 'events.filter(({ detail }) => !sent.has(detail.id))', '[...events]')
    .killedBy(EVENTS, 'once each'),
];
