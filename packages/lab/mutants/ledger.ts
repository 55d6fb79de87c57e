/** Mutants of counters, which count each change of a job once. */
import { type Mutant, mutant } from './mutant.ts';

export const ledgerMutants: readonly Mutant[] = [
  mutant('counters are corrected at the first difference')
    .replace(
      'core/sweeper/counters.ts',
      'if (reconciliation.missing && isEqual(reconciliation.missing, missing)) {',
      'if (!isEqual(zeroCounters, missing)) {',
    )
    .killedBy('test/sweeper/sweep.test.ts', 'counters'),
  mutant('a batch is counted each time it arrives')
    .replace(
      'aws/ledger/ledger.ts',
      "notExists('lastSequence'), compare('lastSequence', '<', changes[0]?.sequence)",
      "notExists('lastSequence'), exists('lastSequence')",
    )
    .killedBy('test/ledger/record.test.ts', 'counts every change once'),
  mutant('new records in a batch with counted records are lost')
    .replace('aws/ledger/ledger.ts', 'changes.filter(({ sequence: at }) => at > String(item.lastSequence))', '[]')
    .killedBy('test/ledger/arrivals.test.ts', 'a scan of all jobs'),
  mutant('arrivals of a crashed ledger are not added later')
    .replace('core/ledger/record.ts', 'if (added.arrivals)', 'if (added.arrivals && added.left.length === 0)')
    .killedBy('test/ledger/record.test.ts', 'whose process died before'),
  mutant('repeated arrivals are added twice')
    .replace(
      'aws/ledger/arrivals.ts',
      "or(notExists(fence), compare(fence, '<', sequence))",
      "or(notExists(fence), compare(fence, '<>', ''))",
    )
    .killedBy('test/ledger/arrivals.test.ts', 'a scan of all jobs'),
  mutant('a timer that cannot be started stops the ledger')
    .replace(
      'aws/expiry/timers.ts',
      'executions.start({ endpoint, jobs, at: new Date(at).toISOString() });\n      } catch (error) {',
      'executions.start({ endpoint, jobs, at: new Date(at).toISOString() });\n      } catch (error) {\n        throw error;',
    )
    .killedBy('test/sweeper/expiry.test.ts', 'cannot be started'),
  // The first test submits the job. The second waits a minute for the webhook that does not arrive.
];
