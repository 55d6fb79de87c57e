/** Mutants of how many jobs a worker runs, and of how it is replaced. */
import type { Mutant } from './mutant.ts';

const STOP = 'test/worker/stop.test.ts';
const ROOM = 'test/worker/room.test.ts';
const QUICK = 'test/worker/quick-failures.test.ts';
const SCALE = 'test/workers/scale.test.ts';
const REASON = 'test/core/wait-reason.test.ts';
const HEALTH = 'test/jobs/health.test.ts';
const FACT = 'test/fleet/fact.test.ts';
const SERVICE = 'test/local/service.test.ts';

export const retiringMutants: readonly Mutant[] = [
  {
    name: 'one job that is not stopped ends its neighbours',
    file: 'worker/retirement.ts',
    replace: 'if (!hasMore()) isStuck(overdue);',
    by: 'isStuck(overdue);',
    test: STOP,
    named: 'runs its other jobs to their end',
  },
  {
    name: 'a worker whose container does not stop takes more jobs',
    file: 'worker/retirement.ts',
    replace: 'if (!begun)',
    by: 'if (begun)',
    test: STOP,
    named: 'runs its other jobs to their end',
  },
  {
    name: 'jobs that cannot be read keep a worker for ever',
    file: 'worker/retirement.ts',
    replace: 'clock.now() <= job.executionDeadline + REPORT_GRACE',
    by: 'job.executionDeadline > 0',
    test: STOP,
    named: 'though nothing can be read',
  },
  {
    name: 'a lease does not say that its worker retires',
    file: 'worker/agent.ts',
    replace: 'retiring: retirement.isRetiring() || undefined,',
    by: '',
    test: STOP,
    named: 'runs its other jobs to their end',
  },
  {
    name: 'a worker that ECS stops has another started twice',
    file: 'worker/retirement.ts',
    replace: 'retiring = !isReplaced;',
    by: 'retiring = true;',
    test: 'test/worker/stop-notice.test.ts',
    named: 'is no reason for the scaler',
  },
  {
    name: 'a worker that retires is room for jobs',
    file: 'core/workers/desired.ts',
    replace: 'others + retiring.length',
    by: 'others',
    test: SCALE,
    named: 'as many more as take no more jobs',
  },
  {
    name: 'jobs of a worker that retires need another worker',
    file: 'core/workers/desired.ts',
    replace: 'inProgress - theirs',
    by: 'inProgress',
    test: SCALE,
    named: 'as many more as take no more jobs',
  },
  {
    name: 'a job waits for a worker that takes no more',
    file: 'core/jobs/wait-reason.ts',
    replace: 'ready.filter(({ retiring }) => !retiring)',
    by: 'ready',
    test: REASON,
    named: 'takes no more',
  },
  {
    name: '`concurrency` bounds no worker',
    file: 'worker/room.ts',
    replace: 'if (held.size + reserved < most) {',
    by: 'if (most > 0) {',
    test: ROOM,
    named: 'holds no more jobs',
  },
  {
    name: 'a job that waits for room is not told of it',
    file: 'worker/room.ts',
    replace: 'freed: wake,',
    by: 'freed: () => undefined,',
    test: ROOM,
    named: 'holds no more jobs',
  },
  {
    name: 'what a container has is not part of what it asks for',
    file: 'worker/room.ts',
    replace: 'held.own().length + ',
    by: '',
    test: ROOM,
    named: 'the largest batch, with what it has',
  },
  {
    name: 'what workers ask for is stored nowhere',
    file: 'core/workers/scale.ts',
    replace: 'await endpoints.noteAsked(endpoint.id, asked);',
    by: 'void endpoints;',
    test: SCALE,
    named: 'is stored',
  },
  {
    name: 'workers of an old revision say how many jobs one runs',
    file: 'core/workers/concurrency.ts',
    replace: 'lease.asks === undefined || isOther ||',
    by: 'lease.asks === undefined ||',
    test: SCALE,
    named: 'of the wanted revision',
  },
  {
    name: 'another template keeps the number of the last one',
    file: 'core/workers/concurrency.ts',
    replace: 'asked.template === release?.template?.id',
    by: 'asked.template !== release',
    test: SCALE,
    named: 'of another template',
  },
  {
    name: 'health does not name the setting',
    file: 'core/jobs/health.ts',
    replace: '...(concurrency && { concurrency }),',
    by: '',
    test: HEALTH,
    named: 'how many jobs a worker runs at once',
  },
  {
    name: 'a worker whose server is dead empties the queue',
    file: 'worker/quick-failures.ts',
    replace: 'if (await isMine())',
    by: 'if (await isMine().then(() => false))',
    test: QUICK,
    named: 'after three in a row',
  },
  {
    name: 'a success between failures does not count',
    file: 'worker/quick-failures.ts',
    replace: 'if (!failed || ran >= within) return row.clear();',
    by: 'if (!failed || ran >= within) return;',
    test: QUICK,
    named: 'goes on if',
  },
  {
    name: 'wrong inputs replace all workers of an endpoint',
    file: 'worker/quick-failures.ts',
    replace: 'return isSame(held, own);',
    by: 'return true;',
    test: QUICK,
    named: 'ten minutes',
  },
  {
    name: 'nobody is told why a worker was replaced',
    file: 'core/fleet/fact.ts',
    replace: 'container.exitCode === AGENT_FAILING',
    by: 'container.exitCode === AGENT_UNHEALTHY',
    test: FACT,
    named: 'jobs fail at once',
  },
  {
    name: 'jobs wait for the end of a command that is to stop',
    file: 'local/fleet/service.ts',
    replace: "[...attached].some((task) => task.state().desiredStatus === 'RUNNING')",
    by: 'attached.size > 0',
    test: SERVICE,
    named: 'however long its command',
  },
];
