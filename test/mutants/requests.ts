/** Breaks of what requests are held against before a job is stored, and of how they are refused. */
import type { Mutant } from './mutant.ts';

const OVERLOAD = 'test/jobs/overload.test.ts';
const CLAIM = 'test/jobs/claim.test.ts';
const THROTTLE = 'test/core/throttle.test.ts';
const GATEWAY_RESPONSES = 'test/lib/gateway-responses.test.ts';
const ERRORS_PAGE = 'test/docs/errors.test.ts';
const KEYS = 'test/bin/keys.test.ts';
const TTL = 'test/jobs/ttl.test.ts';
const WAIT = 'test/jobs/wait.test.ts';
const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const REQUESTS = 'test/jobs/requests.test.ts';
const HTTP = 'test/lambda/http.test.ts';

export const requestMutants: readonly Mutant[] = [
  {
    name: 'a full queue is full one job earlier',
    file: 'core/jobs/overload.ts',
    replace: 'counts.inQueue > most',
    by: 'counts.inQueue >= most',
    test: OVERLOAD,
    named: 'takes a job while',
  },
  {
    name: 'a full queue does not say when to ask again',
    file: 'lambda/http.ts',
    replace: "retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }",
    by: '{}',
    test: HTTP,
    named: 'when to ask again',
  },
  {
    name: 'a refusal for the rate says the time of another route',
    file: 'core/throttle.ts',
    replace: 'Math.ceil(10 / limits[operation].limit.per10Seconds)',
    by: 'Math.ceil(1 / limits[operation].limit.per10Seconds)',
    test: THROTTLE,
    named: 'what a token takes',
  },
  {
    name: 'the gateway says the same time for all routes',
    file: 'lib/gateway-responses.ts',
    replace: "'Retry-After': 'context.authorizer.retryAfter'",
    by: "'Retry-After': 'context.stage'",
    test: GATEWAY_RESPONSES,
    named: 'when to try again',
  },
  {
    name: 'an idempotency key is not held against the body',
    file: 'core/jobs/claim.ts',
    replace: 'if (claim.body !== body) throw new IdempotencyConflict();',
    by: '',
    test: CLAIM,
    named: 'with another body',
  },
  {
    name: 'an idempotency key is claimed by whoever comes last',
    file: 'aws/claims.ts',
    replace: "'attribute_not_exists(#partition) OR expiresAt <= :now'",
    by: "'attribute_not_exists(#partition) OR expiresAt >= :now'",
    test: CLAIM,
    named: 'make one job, and all learn',
  },
  {
    name: 'the job of a claim is not hinted at again',
    file: 'core/jobs/claim.ts',
    replace: "if (job?.status === 'IN_QUEUE' && job.attempt === 0)",
    by: "if (job?.status === 'IN_QUEUE' && job.attempt > 0)",
    test: CLAIM,
    named: 'after jobs.create leaves',
  },
  {
    name: 'a ttl keeps a result for longer',
    file: 'core/jobs/transitions.ts',
    replace: "      ['$expiresAt', '<', 'expiresAt'],\n",
    by: '',
    test: TTL,
    named: 'for longer',
  },
  {
    name: 'a ttl that comes late is for any end',
    file: 'core/jobs/transitions.ts',
    replace: "      ['finishedAt', '=', '$finishedAt'],\n",
    by: '',
    test: TTL,
    named: 'leaves the end of a retry alone',
  },
  {
    name: 'of a parameter that is sent twice the first value counts',
    file: 'lambda/http.ts',
    replace: 'isList ? values',
    by: 'false ? values',
    test: HTTP,
    named: 'gets the query',
  },
  {
    name: 'runsync answers lost workers with 200',
    file: 'core/jobs/runsync.ts',
    replace: "job.code === 'WORKER_LOST')",
    by: "job.code === 'OUTPUT_TOO_LARGE')",
    test: WAIT,
    named: 'workers were lost',
  },
  {
    name: 'runsync tells its id after the wait',
    file: 'core/jobs/runsync.ts',
    replace: '  accepted(submitted.id);\n  const job = await waitFor(world, submitted, wait);\n',
    by: '  const job = await waitFor(world, submitted, wait);\n  accepted(submitted.id);\n',
    test: WAIT,
    named: 'before it waits',
  },
  {
    name: 'a streamed response has no job id',
    file: 'lambda/http.ts',
    replace: 'response(200, body, headersOf(notes))',
    by: 'response(200, body)',
    test: HTTP_STREAM,
    named: 'accepted first',
  },
  {
    name: 'a list has the jobs of one kind before those of the other',
    file: 'core/jobs/id.ts',
    replace: '(id.startsWith(SYNC) ? id.slice(SYNC.length) : id)',
    by: 'id',
    test: REQUESTS,
    named: 'whatever their kind',
  },
  {
    name: 'a list tells an end that is not stored',
    file: 'core/jobs/requests.ts',
    replace: 'settle(world, job, endpoint)',
    by: 'viewOf(job, endpoint, world.clock.now())',
    test: REQUESTS,
    named: 'stores the ends that it tells',
  },
  {
    name: 'a list looks at as many jobs as there are',
    file: 'core/jobs/requests.ts',
    replace: ' || examined === listLimits.examined',
    by: '',
    test: REQUESTS,
    named: 'looks at so many',
  },
  {
    name: 'a cursor is good for any endpoint',
    file: 'core/jobs/cursor.ts',
    replace: 'update(`${endpoint} ${position}`)',
    by: 'update(position)',
    test: REQUESTS,
    named: 'given by another endpoint',
  },
  {
    name: 'an ambiguous id revokes the first key',
    file: 'core/keys/revoke.ts',
    replace: 'if (others.length > 0)',
    by: 'if (others.length > 1)',
    test: KEYS,
    named: 'beginning of two',
  },
  {
    name: 'the list of keys shows their hashes',
    file: 'core/keys/key.ts',
    replace: 'hash.slice(0, 12)',
    by: 'hash',
    test: KEYS,
    named: 'neither secret nor hash',
  },
  {
    name: 'an answer has a code that no page lists',
    file: 'core/errors.ts',
    replace: "readonly code = 'QUEUE_FULL';",
    by: "readonly code = 'QUEUE_OVERLOAD';",
    test: ERRORS_PAGE,
    named: 'every code that is answered',
  },
  {
    name: 'a job has a code that no page lists',
    file: 'core/jobs/job.ts',
    replace: "z.enum(['CANCELLED', 'PURGED'])",
    by: "z.enum(['CANCELLED', 'PURGED', 'EVICTED'])",
    test: ERRORS_PAGE,
    named: 'every code of a job',
  },
];
