/** Mutants of limits, of the descriptions of the interfaces, and of other rows of the contract. */
import { type Mutant, mutant } from './mutant.ts';

const DOCUMENT = 'test/openapi/document.test.ts';
const THROTTLE = 'local/test/gateway/throttle.test.ts';
const PLATFORM = 'test/lib/deployment/platform.test.ts';
const CONTRACT = 'test/acceptance/contract.test.ts';
const HEAD = 'test/lib/api/head.test.ts';
const GATEWAY = 'local/test/gateway/gateway.test.ts';
const SUBMISSION = 'test/submission/request.test.ts';
const CALL_LIMIT = 'test/rates/call-limit.test.ts';
const STATUS = 'test/status/status.test.ts';

export const contractMutants: readonly Mutant[] = [
  mutant('a bucket has no maximum')
    .replace(
      'local/gateway/throttle.ts',
      'Math.min(full, content + (at - before) * rate)',
      'content + (at - before) * rate',
    )
    .killedBy(THROTTLE, 'for any pattern of requests|reaches that maximum'),
  mutant('a refused request takes a token')
    .replace('local/gateway/throttle.ts', 'admitted ? refilled - TOKEN : refilled', 'Math.max(0, refilled - TOKEN)')
    .killedBy(THROTTLE, 'for any pattern of requests|reaches that maximum'),
  mutant('a refused request still calls the function')
    .replace(
      'local/gateway/usage-plan.ts',
      'return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]);',
      'return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]) || true;',
    )
    .killedBy(GATEWAY, 'costs nothing'),
  mutant('an error is described with another status')
    .replace('core/openapi/codes.ts', 'JOB_EXPIRED: 404', 'JOB_EXPIRED: 409')
    .killedBy(DOCUMENT, 'equal those of docs/reference/errors.md'),
  mutant('the description lacks the second method of a route')
    .replace(
      'core/openapi/path-item.ts',
      'const operations = methods.map(',
      'const operations = methods.slice(0, 1).map(',
    )
    .killedBy(DOCUMENT, 'has every route'),
  mutant('the description of a job has no minimum and maximum values')
    .replace('core/openapi/components.ts', 'z.toJSONSchema(policySchema', 'z.toJSONSchema(z.object({})')
    .killedBy(DOCUMENT, 'as the service does'),
  mutant('requests for descriptions are not limited')
    .replace('lib/api/api.ts', 'throttlingBurstLimit: burstLimit', 'throttlingBurstLimit: 5 * burstLimit')
    .killedBy(PLATFORM, 'limit the rate of requests for `/openapi.json`, for'),
  mutant('a stream is empty until its job ends')
    .replace('core/streams/read.ts', 'return Number.POSITIVE_INFINITY;', 'return 0;')
    .killedBy(CONTRACT, 'grows while'),
  mutant('a stream can begin before its first chunk')
    .replace('core/requests/validation.ts', 'indexLimits = { min: 0,', 'indexLimits = { min: -1,')
    .killedBy(CONTRACT, 'grows while'),
  mutant('a stream ends after 64 KB')
    .replace(
      'core/http/body.ts',
      'for (let next = await rest.next(); !next.done;',
      'for (let next = await rest.next(); !next.done && String(next.value).length < 9;',
    )
    .killedBy(CONTRACT, 'splits chunks of more than 1 MB'),
  mutant('a handler that is not a generator streams nothing')
    .replace('worker/sdk/runner.ts', 'chunk: chunks.send,', 'chunk: async () => {},')
    .killedBy(CONTRACT, 'have the values that the worker sent, beside'),
  mutant('a failed job cannot be retried')
    .replace('core/submission/retry.ts', "status === 'FAILED' || status", 'status')
    .killedBy(CONTRACT, 'runs again under its id'),
  mutant('a retry of a completed job returns 409')
    .replace(
      'core/requests/errors.ts',
      "readonly status = 400;\n  readonly code = 'JOB_NOT_RETRYABLE';",
      "readonly status = 409;\n  readonly code = 'JOB_NOT_RETRYABLE';",
    )
    .killedBy(CONTRACT, 'can be retried, but a completed job cannot'),
  mutant('/health counts purged jobs')
    .replace('core/endpoints/counts.ts', 'generation === 0 ? counter :', 'generation >= 0 ? counter :')
    .killedBy(CONTRACT, '120 concurrent jobs|removes only waiting jobs by a purge'),
  mutant('purges are not limited')
    .replace('core/operations/table.ts', '{"per10Seconds":2,"exact":true}', '{"per10Seconds":100}')
    .killedBy(CONTRACT, 'admits two purges'),
  mutant('an exact limit admits one call too many')
    .replace('aws/rates/call-counts.ts', "compare('calls', '<', max)", "compare('calls', '<=', max)")
    .killedBy(CALL_LIMIT, 'admits exactly its number of calls within a second'),
  mutant('the window of an exact limit never ends')
    .replace('aws/rates/call-counts.ts', "or(notExists('began'), compare('began', '<=', over))", "notExists('began')")
    .killedBy(CALL_LIMIT, 'admits calls after that time'),
  mutant('a cancellation is not counted')
    .replace(
      'lambda/jobs/cancel.ts',
      "withCallLimit(ports, 'cancel', { endpoint, caller }, async () => cancel(ports, { endpoint, id: job }))",
      'cancel(ports, { endpoint, id: job })',
    )
    .killedBy(CONTRACT, 'no further request for 10 seconds'),
  mutant("a bucket holds only a fifth of the contract's limit")
    .replace('lib/api/rate-limits.ts', 'burstLimit: per10Seconds', 'burstLimit: per10Seconds / 5')
    .killedBy(THROTTLE, 'refuses no request'),
  mutant('a job that has not run lacks executionTime')
    .replace('core/jobs/record.ts', "startedAt === undefined ? '0' :", 'startedAt === undefined ? undefined :')
    .killedBy(STATUS, 'so far'),
  mutant('a completed job lacks a null output')
    .replace('core/jobs/record.ts', "job.status === 'COMPLETED' ? 'null' : undefined", 'undefined')
    .killedBy(STATUS, 'returns null as the output'),
  mutant('a request for another version is answered as in AWS')
    .replace('local/gateway/server.ts', 'refusePath(apiOf(apis), request)', "message(403, 'Forbidden')")
    .killedBy(CONTRACT, 'an unknown version'),
  mutant('an invalid value is reported once for each failed check')
    .replace(
      'core/requests/validation.ts',
      "[...new Set(result.error.issues.map(sentence))].join('; ')",
      "result.error.issues.map(sentence).join('; ')",
    )
    .killedBy(CONTRACT, 'names each invalid value once'),
  mutant('an invalid value of a template is reported once for each failed check')
    .replace(
      'core/requests/validation.ts',
      "[...new Set(result.error.issues.map(sentence))].join('; ')",
      "result.error.issues.map(sentence).join('; ')",
    )
    .killedBy(SUBMISSION, 'is refused with one message for each field, even if a'),
  mutant('an unknown method returns 403')
    .replace(
      'lib/api/unknown-routes.ts',
      "        statusCode: '404',\n        responseT",
      "        statusCode: '403',\n        responseT",
    )
    .killedBy(CONTRACT, 'is a 404 for a method that'),
  mutant('HEAD belongs to no operation')
    .replace('core/operations/routes.ts', "method === 'HEAD' ? 'GET' : method", 'method')
    .killedBy(CONTRACT, 'for HEAD of a path that has GET'),
  mutant('a decision for one endpoint is used for other endpoints')
    .remove('lib/keys/authorizer.ts', "        IdentitySource.context('path'),\n")
    .killedBy(PLATFORM, 'cache each response of the authorizer for one key, method and path'),
  mutant('HEAD needs no key').remove('lib/api/head.ts', '    ...access,\n').killedBy(HEAD, 'uses the same authorizer'),
  mutant('the Allow header for HEAD lacks the other methods of the path')
    .replace('lib/api/head.ts', '...(methodsOf.get(path) ?? []), ...preflight', "'GET', ...preflight")
    .killedBy(HEAD, 'with the methods of the path'),
  mutant('HEAD of any Content-Type is answered from the template')
    .replace(
      'local/gateway/mock.ts',
      "only: PassthroughBehavior === 'NEVER' ? new Set(types) : undefined",
      'only: undefined',
    )
    .killedBy('local/test/gateway/head.test.ts', 'text/plain with status 415'),
  mutant('OPTIONS without an allowed origin returns 403')
    .replace(
      'lib/api/unknown-routes.ts',
      "        statusCode: '404',\n        responseT",
      "        statusCode: '403',\n        responseT",
    )
    .killedBy(CONTRACT, 'for OPTIONS unless'),
  mutant('a function accepts an event of 7 MB')
    .replace('local/functions/functions.ts', 'PAYLOAD_LIMIT = 6_291_456', 'PAYLOAD_LIMIT = 7_340_032')
    .killedBy('local/test/gateway/gateway.test.ts', 'an event over 6 MB'),
  mutant('only the output of a chunk has a maximum size')
    .replace('core/streams/chunk.ts', 'envelopeOf(number, rest) + sizeOf(output) <= limit', 'sizeOf(output) <= limit')
    .killedBy(CONTRACT, 'an output of exactly 1 MB'),
  mutant('parts are numbered from 0')
    .replace('core/streams/chunk.ts', 'part: n + 1,', 'part: n,')
    .killedBy(CONTRACT, 'into numbered parts'),
  mutant('an array is divided like a string')
    .replace('core/streams/chunk.ts', "output.startsWith('[') ?", "output.startsWith('#') ?")
    .killedBy(CONTRACT, 'splits a large array'),
  mutant('the agent drops metrics without a log line')
    .replace('worker/agent/job-loop.ts', 'if (dropped) log.info', 'if (dropped?.unnamed) log.info')
    .killedBy(CONTRACT, 'and the log of the job names them'),
];
