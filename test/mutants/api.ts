/** Breaks of the API that are seen over HTTP, some of them only under faults. */
import type { Mutant } from './mutant.ts';

const API = 'test/acceptance/api-under-faults.long.ts';

export const apiAcceptanceMutants: readonly Mutant[] = [
  {
    name: 'an error does not name its request',
    file: 'core/http/respond.ts',
    replace: 'error: message, code, requestId })',
    by: 'error: message, code })',
    test: API,
    named: 'without faults keeps',
  },
  {
    name: 'a job that was stored before its answer was lost is refused',
    file: 'aws/jobs.ts',
    replace: 'if (!(error instanceof ConditionalCheckFailedException)) throw error;\n      });',
    by: 'throw error;\n      });',
    test: API,
    named: 'with 1 % of each fault keeps',
  },
  {
    name: 'counts are added again if their answer was lost',
    file: 'aws/ledger.ts',
    replace: "'attribute_not_exists(lastSequence) OR lastSequence < :first'",
    by: "'attribute_not_exists(lastSequence) OR lastSequence <= :last OR :first <= :last'",
    test: API,
    named: 'with 1 % of each fault keeps',
  },
  {
    name: 'nobody crashes',
    file: 'local/aws-proxy/fault-draws.ts',
    replace: 'return drawn < sum;',
    by: "return kind !== 'crash' && drawn < sum;",
    test: API,
    named: 'were of every kind',
  },
];
