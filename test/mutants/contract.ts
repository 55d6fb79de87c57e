/** Breaks of limits, of the descriptions of the interfaces, and of what the contract asks over HTTP. */
import type { Mutant } from './mutant.ts';

const DOCUMENT = 'test/openapi/document.test.ts';
const THROTTLE = 'test/local/throttle.test.ts';
const PLATFORM = 'test/lib/platform.test.ts';
const CONTRACT = 'test/acceptance/contract.test.ts';
const GATEWAY = 'test/local/gateway.test.ts';

export const contractMutants: readonly Mutant[] = [
  {
    name: 'a bucket has no brim',
    file: 'local/gateway/throttle.ts',
    replace: 'Math.min(full, content + (at - before) * rate)',
    by: 'content + (at - before) * rate',
    test: THROTTLE,
    named: 'however requests come',
  },
  {
    name: 'a refused request takes a token',
    file: 'local/gateway/throttle.ts',
    replace: 'admitted ? refilled - TOKEN : refilled',
    by: 'Math.max(0, refilled - TOKEN)',
    test: THROTTLE,
    named: 'however requests come',
  },
  {
    name: 'the function is called before the limit is asked',
    file: 'local/gateway/usage-plan.ts',
    replace: 'return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]);',
    by: 'return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]) || true;',
    test: GATEWAY,
    named: 'costs nothing',
  },
  {
    name: 'an error is described with another status',
    file: 'core/openapi/codes.ts',
    replace: 'JOB_EXPIRED: 404',
    by: 'JOB_EXPIRED: 409',
    test: DOCUMENT,
    named: 'are those of docs/errors.md',
  },
  {
    name: 'the second method of a route is not described',
    file: 'core/openapi/path-item.ts',
    replace: 'const operations = route.methods.map(',
    by: 'const operations = route.methods.slice(0, 1).map(',
    test: DOCUMENT,
    named: 'has every route',
  },
  {
    name: 'the description of a job has no bounds',
    file: 'core/openapi/components.ts',
    replace: 'z.toJSONSchema(policySchema',
    by: 'z.toJSONSchema(z.object({})',
    test: DOCUMENT,
    named: 'as the service does',
  },
  {
    name: 'descriptions are not limited',
    file: 'lib/api.ts',
    replace: 'throttlingBurstLimit: burstLimit',
    by: 'throttlingBurstLimit: 5 * burstLimit',
    test: PLATFORM,
    named: 'how often they are described',
  },
  {
    name: 'a stream is empty until its job ends',
    file: 'core/jobs/chunk-texts.ts',
    replace: 'return Number.POSITIVE_INFINITY;',
    by: 'return 0;',
    test: CONTRACT,
    named: 'grows while',
  },
  {
    name: 'a stream begins before its first chunk',
    file: 'core/jobs/stream.ts',
    replace: '.check(z.gte(0, fromMust))',
    by: '',
    test: CONTRACT,
    named: 'grows while',
  },
  {
    name: 'a stream ends after 64 KB',
    file: 'lambda/streamed-body.ts',
    replace: 'for (let next = await rest.next(); !next.done;',
    by: 'for (let next = await rest.next(); !next.done && next.value.length < 9;',
    test: CONTRACT,
    named: 'no chunk of more than 1 MB',
  },
  {
    name: 'a handler that is no generator streams nothing',
    file: 'worker/runner.ts',
    replace: 'chunk: chunks.send }',
    by: 'chunk: async () => {} }',
    test: CONTRACT,
    named: 'are what the worker told, beside',
  },
  {
    name: 'a job that failed cannot be retried',
    file: 'core/jobs/retry.ts',
    replace: "status === 'FAILED' || status",
    by: 'status',
    test: CONTRACT,
    named: 'runs again under its id',
  },
  {
    name: 'a retry of a completed job is a 409',
    file: 'core/errors.ts',
    replace: "readonly status = 400;\n  readonly code = 'JOB_NOT_RETRYABLE';",
    by: "readonly status = 409;\n  readonly code = 'JOB_NOT_RETRYABLE';",
    test: CONTRACT,
    named: 'is the only one that runs again',
  },
  {
    name: 'health goes on to count purged jobs',
    file: 'core/ledger/tally.ts',
    replace: 'generation === 0 ? waiting :',
    by: 'generation >= 0 ? waiting :',
    test: CONTRACT,
    named: '120 jobs at once|a purge removes those',
  },
  {
    name: 'purges are not limited',
    file: 'core/routes.ts',
    replace: '{ per10Seconds: 2, exact: true }',
    by: '{ per10Seconds: 100 }',
    test: CONTRACT,
    named: 'let two purges pass',
  },
];
