/** Mutants of the timers that end waiting jobs soon after their `ttl`. */
import { type Mutant, mutant } from './mutant.ts';

const EXPIRY = 'test/sweeper/expiry.test.ts';

export const expiryMutants: readonly Mutant[] = [
  mutant('the ledger starts no timer')
    .replace(
      'core/ledger/record.ts',
      'await startTimers(ports.expiryTimers, waiting, ports.clock.now());',
      'void waiting;',
    )
    .killedBy(EXPIRY, 'with a short ttl'),
  mutant('the sweeper starts no timer')
    .replace('core/sweeper/deadlines.ts', 'await startTimers(ports.expiryTimers, alive, now);', 'void startTimers;')
    .killedBy(EXPIRY, 'expire before the next sweep'),
  mutant('the sweeper ignores jobs that expire before the next sweep')
    .replace('core/sweeper/deadlines.ts', 'now + expiryTimer.ahead + MINUTE', 'now')
    .killedBy(EXPIRY, 'expire before the next sweep'),
  mutant('the sweeper ignores jobs that have a timer')
    .replace(
      'core/sweeper/deadlines.ts',
      '(dueAt <= now || checked.alive.length === 0)',
      '(dueAt <= now || checked.alive.length >= 0)',
    )
    .killedBy(EXPIRY, 'whose timer was lost'),
  mutant('a timer runs before the deadlines of its jobs')
    .replace(
      'core/expiry/expire.ts',
      'Math.ceil((queueDeadline + margin) / slot) * slot',
      'Math.floor(queueDeadline / slot) * slot - 1',
    )
    .killedBy(EXPIRY, 'with a short ttl'),
  mutant('a timer that cannot be started stops the ledger')
    .replace(
      'aws/expiry/timers.ts',
      'executions.start({ endpoint, jobs, at: new Date(at).toISOString() });\n      } catch (error) {',
      'executions.start({ endpoint, jobs, at: new Date(at).toISOString() });\n      } catch (error) {\n        throw error;',
    )
    .killedBy(EXPIRY, 'cannot be started'),
  // The first test submits the job. The second waits a minute for the webhook that does not arrive.
  mutant('no timer is started')
    .replace(
      'core/expiry/expire.ts',
      'Array.from(timersFor(soon), (timer) => timers.start(timer))',
      'Array.from(timersFor(soon), () => undefined)',
    )
    .killedBy(
      'test/acceptance/contract.test.ts',
      'while all workers are busy .*(a ttl of ten seconds|within 15 s after its ttl)',
    ),
  mutant('a delivery is started again before it is due')
    .replace('core/webhooks/redrive.ts', 'Math.max(due, leaseEnds)', 'Math.max(0, leaseEnds)')
    .killedBy('test/webhooks/deliver.test.ts', 'restarts an unfinished delivery'),
];
