/** Mutants of the number of jobs that a worker runs, and of its replacement. */
import { type Mutant, mutant } from './mutant.ts';

const UNSTOPPED = 'test/worker/unstopped.test.ts';
const ROOM = 'test/worker/concurrency.test.ts';
const QUICK = 'test/worker/quick-failures.test.ts';
const SCALE = 'test/workers/scale.test.ts';
const FACT = 'test/fleet/fact.test.ts';
const SERVICE = 'local/test/ecs/service.test.ts';

export const retiringMutants: readonly Mutant[] = [
  mutant('a worker whose container does not stop takes more jobs')
    .replace('worker/agent/retirement.ts', 'if (!begun)', 'if (begun)')
    .killedBy(UNSTOPPED, 'finishes its other jobs'),
  mutant('unreadable jobs keep a retiring worker for ever')
    .replace(
      'worker/agent/retirement.ts',
      'clock.now() <= job.executionDeadline + REPORT_GRACE',
      'job.executionDeadline > 0',
    )
    .killedBy(UNSTOPPED, 'although no job can be read'),
  mutant('a lease does not show that its worker retires')
    .remove('worker/agent/agent.ts', 'retiring: retirement.isRetiring() || undefined,')
    .killedBy(UNSTOPPED, 'finishes its other jobs'),
  mutant('a retiring worker counts as capacity for jobs')
    .replace('core/workers/concurrency.ts', 'others + retiring.length', 'others')
    .killedBy(SCALE, 'include replacements for workers that take no more jobs'),
  mutant('jobs of a worker that retires need another worker')
    .replace('core/workers/concurrency.ts', 'inProgress - theirs', 'inProgress')
    .killedBy(SCALE, 'include replacements for workers that take no more jobs'),
  mutant('`concurrency` does not limit a worker')
    .replace('worker/agent/concurrency.ts', 'if (held.size + reserved < max) {', 'if (max > 0) {')
    .killedBy(ROOM, 'holds no more jobs'),
  mutant('a job that waits for a free worker does not show the reason')
    .replace('worker/agent/concurrency.ts', 'jobEnded: wake,', 'jobEnded: () => undefined,')
    .killedBy(ROOM, 'holds no more jobs'),
  mutant('the running jobs of a container do not count towards its concurrency')
    .replace('worker/agent/concurrency.ts', 'const jobs = has + ', 'const jobs = has * 0 + ')
    .killedBy(ROOM, 'the largest sum of the jobs'),
  mutant('a job whose input is being loaded counts twice')
    .replace('worker/agent/concurrency.ts', 'open.get(taker)?.had.has(job.id) ?? true', 'taker !== job.id')
    .killedBy(ROOM, 'being loaded'),
  mutant('the concurrency that workers ask for is not stored')
    .replace('core/fleet/scale.ts', 'await endpoints.setAsked(endpoint.id, asked);', 'void endpoints;')
    .killedBy(SCALE, 'is stored'),
  mutant('workers of an old revision set the requested concurrency')
    .replace('core/workers/concurrency.ts', 'lease.asks === undefined || isOther ||', 'lease.asks === undefined ||')
    .killedBy(SCALE, 'uses the concurrency of workers of the current revision'),
  mutant('a new template keeps the requested concurrency of the previous template')
    .replace('core/workers/concurrency.ts', 'asked.template === release?.template.id', 'asked.template !== release')
    .killedBy(SCALE, 'of another template'),
  mutant('a worker with a dead server fails all jobs of the queue')
    .replace('worker/agent/quick-failures.ts', 'if (await acquireMark())', 'if (await acquireMark().then(() => false))')
    .killedBy(QUICK, 'after three failed jobs in a row'),
  mutant('a worker that is being replaced is replaced again')
    .replace('worker/agent/job-loop.ts', '!isServer && !messages.isStopped()', '!isServer')
    .killedBy(QUICK, 'is already being replaced'),
  mutant('the time to store a result counts as run time')
    .replace('worker/agent/job-loop.ts', 'id, error, ran })', 'id, error, ran: found.ran() })')
    .killedBy(QUICK, 'although storing the failures'),
  mutant('an input that a server refuses counts as a failure of the worker')
    .replace('worker/agent/quick-failures.ts', 'readError(error).status >= 500', 'readError(error).status >= 400')
    .killedBy(QUICK, 'that its server refuses'),
  mutant('a new worker lowers the requested concurrency')
    .replace('core/workers/concurrency.ts', 'Math.max(...asks, ...before)', 'Math.max(...asks)')
    .killedBy('test/workers/scale.test.ts', 'assumes 1 until the requested concurrency is stored, and'),
  mutant('a success does not end a series of failures')
    .replace(
      'worker/agent/quick-failures.ts',
      'if (!isFailure(failure) || ran >= within) return row.clear();',
      'if (!isFailure(failure) || ran >= within) return;',
    )
    .killedBy(QUICK, 'is not replaced if it has'),
  mutant('wrong inputs replace all workers of an endpoint')
    .replace('worker/agent/quick-failures.ts', 'return isSame(held, own);', 'return true;')
    .killedBy(QUICK, 'ten minutes'),
  mutant('the reason why a worker was replaced is not shown')
    .replace('core/fleet/fact.ts', 'container.exitCode === AGENT_FAILING', 'container.exitCode === AGENT_UNHEALTHY')
    .killedBy(FACT, 'is unhealthy if its jobs fail immediately'),
  mutant('jobs wait until a stopping command has exited')
    .replace(
      'local/ecs/service.ts',
      "[...attached].some((task) => task.state().desiredStatus === 'RUNNING')",
      'attached.size > 0',
    )
    .killedBy(SERVICE, 'even if its command stops slowly'),
];
