/** Breaks of how waiting jobs end soon after their `ttl`. */
import type { Mutant } from './mutant.ts';

const EXPIRY = 'test/sweeper/expiry.test.ts';

export const expiryMutants: readonly Mutant[] = [
  {
    name: 'the ledger starts no timer',
    file: 'core/ledger/record.ts',
    replace: 'await startTimers(ports.expiryTimers, waiting, ports.clock.now());',
    by: 'void waiting;',
    test: EXPIRY,
    named: 'with a short ttl',
  },
  {
    name: 'the sweeper starts no timer',
    file: 'core/sweeper/deadlines.ts',
    replace: 'await startTimers(ports.expiryTimers, alive, now);',
    by: 'void startTimers;',
    test: EXPIRY,
    named: 'expire before the next sweep',
  },
  {
    name: 'the sweeper does not look ahead',
    file: 'core/sweeper/deadlines.ts',
    replace: 'now + expiryTimer.ahead + MINUTE',
    by: 'now',
    test: EXPIRY,
    named: 'expire before the next sweep',
  },
  {
    name: 'the sweeper forgets jobs that rely on a timer',
    file: 'core/sweeper/deadlines.ts',
    replace: '(dueAt <= now || checked.alive.length === 0)',
    by: '(dueAt <= now || checked.alive.length >= 0)',
    test: EXPIRY,
    named: 'whose timer was lost',
  },
  {
    name: 'an entry whose jobs have ended is read until it is due',
    file: 'core/sweeper/deadlines.ts',
    replace: '(dueAt <= now || checked.alive.length === 0)',
    by: 'dueAt <= now',
    test: EXPIRY,
    named: 'reads a job once',
  },
  {
    name: 'a timer runs before the deadlines of its jobs',
    file: 'core/expiry/timers.ts',
    replace: 'Math.ceil((queueDeadline + margin) / slot) * slot',
    by: 'Math.floor(queueDeadline / slot) * slot - 1',
    test: EXPIRY,
    named: 'with a short ttl',
  },
  {
    name: 'a job that runs costs a timer',
    file: 'core/expiry/timers.ts',
    replace: "job.status === 'IN_QUEUE' && job.queueDeadline",
    by: 'job.queueDeadline',
    test: EXPIRY,
    named: 'for a job that runs',
  },
  {
    name: 'a timer that cannot be started stops the ledger',
    file: 'aws/expiry-timers.ts',
    replace: 'executions.start({ endpoint, jobs, at: new Date(at).toISOString() });\n      } catch (error) {',
    by: 'executions.start({ endpoint, jobs, at: new Date(at).toISOString() });\n      } catch (error) {\n        throw error;',
    test: EXPIRY,
    named: 'cannot be started',
  },
  {
    name: 'no timer is started at all',
    file: 'core/expiry/timers.ts',
    replace: 'Array.from(timersFor(soon), (timer) => timers.start(timer))',
    by: 'Array.from(timersFor(soon), () => undefined)',
    test: 'test/acceptance/contract.test.ts',
    // The first submits the job; the second waits for a minute in vain.
    named: 'while all workers are busy .*(may wait for ten seconds only|whose ttl runs out is called)',
  },
  {
    name: 'a delivery is started again before it is due',
    file: 'core/webhooks/redrive.ts',
    replace: 'Math.max(due, leaseEnds)',
    by: 'Math.max(0, leaseEnds)',
    test: 'test/webhooks/deliver.test.ts',
    named: 'not over after five minutes',
  },
];
