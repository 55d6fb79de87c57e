/** Mutants of the checks before a job is stored, and of the refusals of requests. */
import { type Mutant, mutant } from './mutant.ts';

const CLAIM = 'test/submission/idempotency.test.ts';
const THROTTLE = 'test/rates/throttle.test.ts';
const GATEWAY_RESPONSES = 'test/lib/api/gateway-responses.test.ts';
const ERRORS_PAGE = 'test/docs/errors.test.ts';
const KEYS = 'test/bin/keys.test.ts';
const TTL = 'test/status/retention.test.ts';
const WAIT = 'test/waiting-calls/wait.test.ts';
const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const REQUESTS = 'test/status/requests.test.ts';
const HTTP = 'test/lambda/http.test.ts';
const CORS = 'test/lib/api/cors.test.ts';
const S3_CONFIG = 'test/jobs/s3-config.test.ts';

export const requestMutants: readonly Mutant[] = [
  mutant('a full queue has no Retry-After')
    .replace('core/http/respond.ts', "retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }", '{}')
    .killedBy(HTTP, 'sends Retry-After only if the error sets it'),
  mutant('a rate limit has the Retry-After of another route')
    .replace('core/rates/throttle.ts', 'exact ? window :', 'exact ? 1 :')
    .killedBy(THROTTLE, 'the window of an exact limit'),
  mutant('the gateway has one Retry-After for all routes')
    .replace(
      'lib/api/gateway-responses.ts',
      "'Retry-After': 'context.authorizer.retryAfter'",
      "'Retry-After': 'context.stage'",
    )
    .killedBy(GATEWAY_RESPONSES, 'Retry-After of the authorizer'),
  mutant('the last of several requests acquires an idempotency key')
    .replace('aws/submission/idempotency-keys.ts', "compare('expiresAt', '<=', now)", "compare('expiresAt', '>=', now)")
    .killedBy(CLAIM, 'create one job, which all of them return'),
  mutant('a repeated request does not send a missing message')
    .replace(
      'core/submission/idempotency.ts',
      "if (job?.status === 'IN_QUEUE' && job.attempt === 0)",
      "if (job?.status === 'IN_QUEUE' && job.attempt > 0)",
    )
    .killedBy(CLAIM, 'after jobs.create leaves'),
  mutant('a ttl extends the retention of a result')
    .remove('core/jobs/transitions.ts', "      ['$expiresAt', '<', 'expiresAt'],\n")
    .killedBy(TTL, 'never extends the retention of a result'),
  mutant('a late ttl changes the retention of a retried job')
    .remove('core/jobs/transitions.ts', "      ['finishedAt', '=', '$finishedAt'],\n")
    .killedBy(TTL, 'does not change the retention of a retried job if it is'),
  mutant('the first value of a repeated parameter is used')
    .replace('core/http/request.ts', 'isList ? values', 'false ? values')
    .killedBy(HTTP, 'gets the query'),
  mutant('runsync returns 200 for a job whose worker is lost')
    .replace('core/status/runsync.ts', "job.code === 'WORKER_LOST';", "job.code === 'OUTPUT_TOO_LARGE';")
    .killedBy(WAIT, 'workers were lost'),
  mutant("runsync reports the job's id only after the wait")
    .replace(
      'core/status/runsync.ts',
      '{ mayBeStored, admit: hold });\n    // Release the body, because a waiting call must not hold it in memory.\n    request.body = NO_BODY;\n    onSubmitted();\n    const job = await waitFor(ports, submitted, wait, hold, { gone, isNew: submitted.isNew });\n',
      '{ admit: hold });\n    const job = await waitFor(ports, submitted, wait, hold, gone);\n    mayBeStored?.(submitted.id);\n',
    )
    .killedBy(WAIT, 'before it waits'),
  mutant('a job is stored before its id is reported as possibly stored')
    .replace(
      'core/submission/submit.ts',
      '  mayBeStored(id);\n  await ports.jobs.create(job);\n',
      '  await ports.jobs.create(job);\n  mayBeStored(id);\n',
    )
    .killedBy('test/submission/run.test.ts', 'reports the id of a job only if the job might have been'),
  mutant('a failed submission does not return its job id')
    .replace(
      'core/http/respond.ts',
      "code: 'INTERNAL', message, headers: jobHeaders(state.jobId) }",
      "code: 'INTERNAL', message, headers: {} }",
    )
    .killedBy('test/lambda/http.test.ts', 'returns the id of a job that a failed submission might'),
  mutant('a streamed response has no job id in its headers')
    .replace(
      'core/http/respond.ts',
      'response(exchange, 200, body, jobHeaders(state.jobId))',
      'response(exchange, 200, body, {})',
    )
    .killedBy(HTTP_STREAM, 'has the id of the accepted job in its headers if it takes'),
  mutant('a list sorts jobs by kind before time')
    .replace('core/jobs/id.ts', '(id.startsWith(SYNC) ? id.slice(SYNC.length) : id)', 'id')
    .killedBy(REQUESTS, 'contains the jobs of all owners and operations of the'),
  mutant('a list shows a final status without storing it')
    .replace('core/status/requests.ts', 'finalize(ports, job, present)', 'viewOf(job, present, ports.clock.now())')
    .killedBy(REQUESTS, 'contains the jobs with that status by the clock, and'),
  mutant('a cursor is accepted by any endpoint')
    .replace('core/requests/cursor.ts', 'update(`${list} ${position}`)', 'update(position)')
    .killedBy(REQUESTS, 'returned by another endpoint'),
  mutant('an ambiguous id revokes the first matching key')
    .replace('core/keys/key.ts', 'if (others.length > 0)', 'if (others.length > 1)')
    .killedBy(KEYS, 'revokes no key if two ids'),
  mutant('an error response has an undocumented code')
    .replace('core/requests/errors.ts', "readonly code = 'QUEUE_FULL';", "readonly code = 'QUEUE_OVERLOAD';")
    .killedBy(ERRORS_PAGE, 'lists exactly the codes of error responses, with their'),
  mutant('a job has an undocumented code')
    .replace('core/jobs/job.ts', "z.enum(['CANCELLED', 'PURGED'])", "z.enum(['CANCELLED', 'PURGED', 'EVICTED'])")
    .killedBy(ERRORS_PAGE, 'lists exactly the codes of jobs, with their statuses'),
  mutant('a secret is stored in plain text')
    .replace('core/jobs/payload.ts', 'await ports.secrets.seal(key, text)', 'text')
    .killedBy(S3_CONFIG, 'encrypted in the (payloads table|bucket)'),
  mutant('data keys are not bound to the job')
    .replace('aws/jobs/secrets.ts', '({ endpoint, job: id })', '({ endpoint, job: String(id.length > 0) })')
    .killedBy(S3_CONFIG, 'for another job'),
  mutant('a retry does not extend the retention of the secret')
    .replace('core/jobs/payload.ts', '[job.input, job.s3Config, job.webhook]', '[job.input, job.webhook]')
    .killedBy(S3_CONFIG, 'retained for another run'),
  mutant('an error shows an invalid secret')
    .replace('core/submission/request.ts', 'validateSecret(omittable.s3Config', 'validate(omittable.s3Config')
    .killedBy('test/submission/request.test.ts', 'is refused with a message that contains no part of it'),
  mutant('an error quotes an invalid body')
    .replace(
      'core/json/scan.ts',
      'expected ${wanted} at byte ${at}${end}.`',
      'expected ${wanted} at ${Buffer.from(bytes).subarray(at)}${end}.`',
    )
    .killedBy('test/submission/request.test.ts', 'not quoted'),
  mutant('workers can decrypt the secrets of all endpoints')
    .replace(
      'lib/jobs/secrets-key.ts',
      "['Decrypt'], reason, { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } }",
      "['Decrypt'], reason, endpoint ? undefined : {}",
    )
    .killedBy('test/lib/deployment/endpoint.test.ts', 'allows decrypting secrets of jobs of its endpoint, but'),
  mutant('web pages cannot read refusals of the gateway')
    .replace('lib/api/gateway-responses.ts', '...headers, ...forPages }', '...headers }')
    .killedBy(CORS, 'all responses of the gateway'),
  mutant('a preflight needs a key')
    .replace(
      'local/gateway/handle.ts',
      "if ('mock' in method.integration)",
      "if ('mock' in method.integration && request.headers.has('Authorization'))",
    )
    .killedBy('local/test/gateway/preflight.test.ts', 'without a key'),
];
