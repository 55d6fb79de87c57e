/** Breaks of the API that are seen over HTTP, some of them only under faults. */
import type { Mutant } from './mutant.ts';

const API = 'test/acceptance/api-under-faults.test.ts';
const RETRY_AND_PURGE = 'test/acceptance/retry-and-purge.test.ts';

export const apiAcceptanceMutants: readonly Mutant[] = [
  {
    name: 'an error does not name its request',
    file: 'lambda/http.ts',
    replace: 'error: error.message, code: error.code, requestId })',
    by: 'error: error.message, code: error.code })',
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
    name: 'the hint of a lost worker is dropped',
    file: 'core/jobs/take.ts',
    replace: 'return take(world, worker, hint);',
    by: "return { outcome: 'stale' };",
    test: API,
    named: 'with 1 % of each fault keeps',
  },
  {
    name: 'nobody crashes',
    file: 'local/front/fault-draws.ts',
    replace: 'return drawn < sum;',
    by: "return kind !== 'crash' && drawn < sum;",
    test: API,
    named: 'were of every kind',
  },
  {
    name: 'a job that failed cannot be retried',
    file: 'core/jobs/retry.ts',
    replace: "status === 'FAILED' || status",
    by: 'status',
    test: RETRY_AND_PURGE,
    named: 'runs a job again',
  },
  {
    name: 'a retry of a completed job is a 409',
    file: 'core/errors.ts',
    replace: "readonly status = 400;\n  readonly code = 'JOB_NOT_RETRYABLE';",
    by: "readonly status = 409;\n  readonly code = 'JOB_NOT_RETRYABLE';",
    test: RETRY_AND_PURGE,
    named: 'has not failed',
  },
  {
    name: 'health goes on to count purged jobs',
    file: 'core/ledger/tally.ts',
    replace: 'generation === 0 ? waiting :',
    by: 'generation >= 0 ? waiting :',
    test: RETRY_AND_PURGE,
    named: 'removes what waits',
  },
  {
    name: 'purges are not limited',
    file: 'core/routes.ts',
    replace: '{ per10Seconds: 2, concurrent: 2 }',
    by: '{ per10Seconds: 100, concurrent: 20 }',
    test: RETRY_AND_PURGE,
    named: 'twice in ten seconds',
  },
];
