/** Mutants of the API that tests over HTTP must detect, some of them only with injected faults. */
import { type Mutant, mutant } from './mutant.ts';

const API = 'test/acceptance/api-under-faults.long.ts';

export const apiAcceptanceMutants: readonly Mutant[] = [
  mutant('an error does not contain its request id')
    .replace('core/http/respond.ts', 'error: message, code, requestId })', 'error: message, code })')
    .killedBy(API, 'acknowledged jobs without faults'),
  mutant('a job that an earlier attempt has stored is refused')
    .replace(
      'aws/jobs/jobs.ts',
      'if (!(error instanceof ConditionalCheckFailedException)) throw error;\n      });',
      'throw error;\n      });',
    )
    .killedBy(API, 'acknowledged jobs with 1 % of each fault'),
  mutant('counts are added twice if the first response was lost')
    .replace(
      'aws/ledger/ledger.ts',
      "notExists('lastSequence'), compare('lastSequence', '<', changes[0]?.sequence)",
      "notExists('lastSequence'), exists('lastSequence')",
    )
    .killedBy(API, 'acknowledged jobs with 1 % of each fault'),
  mutant('no process crashes')
    .replace('local/aws-proxy/fault-draws.ts', 'return drawn < sum;', "return kind !== 'crash' && drawn < sum;")
    .killedBy(API, 'include every kind'),
];
