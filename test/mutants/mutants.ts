/** One small break of the product, and the tests that must notice it. */
export interface Mutant {
  readonly name: string;
  /** The file that is broken, and the text in it, which occurs once, and what takes its place. */
  readonly file: string;
  readonly replace: string;
  readonly by: string;
  /** The test file, and the names of its tests as a regular expression. */
  readonly test: string;
  readonly named: string;
}

const FIRST_JOB = 'test/acceptance/first-job.test.ts';
const CRASH = 'test/acceptance/crash.test.ts';

export const mutants: readonly Mutant[] = [
  {
    name: 'input is parsed and written again',
    file: 'core/json.ts',
    replace: 'members.set(name, text.slice(start, at).trim());',
    by: 'members.set(name, JSON.stringify(JSON.parse(text.slice(start, at))));',
    test: FIRST_JOB,
    named: 'byte for byte',
  },
  {
    name: 'a large payload is cut',
    file: 'aws/payloads.ts',
    replace: 'return Item.text;',
    by: 'return Item.text.slice(0, 100_000);',
    test: FIRST_JOB,
    named: '300 KB',
  },
  {
    name: 'status does not answer POST',
    file: 'core/routes.ts',
    replace: "methods: ['GET', 'POST'],",
    by: "methods: ['GET'],",
    test: FIRST_JOB,
    named: 'can be read at once',
  },
  {
    name: 'a job is acknowledged before it is stored',
    file: 'core/jobs/run.ts',
    replace: 'await world.jobs.create(job);',
    by: 'setTimeout(() => world.jobs.create(job), 50);',
    test: FIRST_JOB,
    named: 'can be read at once',
  },
  {
    name: 'the worker forgets what the handler threw',
    file: 'worker/serve.ts',
    replace: 'const message = error instanceof Error ? error.message : String(error);',
    by: "const message = 'The handler failed.';",
    test: FIRST_JOB,
    named: 'tells the error of its handler',
  },
  {
    name: 'the record has no worker',
    file: 'core/jobs/record.ts',
    replace: "workerId: quoted('worker' in job ? job.worker : undefined),",
    by: '',
    test: FIRST_JOB,
    named: 'is seen running',
  },
  {
    name: 'health does not count failures',
    file: 'core/jobs/health.ts',
    replace: "FAILED: 'failed',",
    by: 'FAILED: undefined,',
    test: FIRST_JOB,
    named: 'tells the error of its handler|counts in health',
  },
  {
    name: 'the list of endpoints is empty',
    file: 'core/management/endpoints.ts',
    replace: "permitted.includes('*') || permitted.includes(id)",
    by: 'permitted.includes(id)',
    test: FIRST_JOB,
    named: 'lists the endpoints',
  },
  {
    name: 'a missing header is told as the gateway tells it',
    file: 'lib/gateway-responses.ts',
    replace: '{ type: ResponseType.UNAUTHORIZED, ...keyAnswer, error: sendKey },',
    by: '',
    test: FIRST_JOB,
    named: '401 for no header',
  },
  {
    name: 'a refused key is 403',
    file: 'lib/gateway-responses.ts',
    replace: "{ type: ResponseType.ACCESS_DENIED, ...keyAnswer, error: '$context.authorizer.error' },",
    by: '',
    test: FIRST_JOB,
    named: '401 for a key of the wrong form',
  },
  {
    name: 'the reason of a refusal repeats the key',
    file: 'core/keys/authorize.ts',
    replace: "'The Authorization header holds no well-formed API key: send `Bearer <API key>`.'",
    by: "'The Authorization header holds no API key: '.concat(secret)",
    test: FIRST_JOB,
    named: 'without repeating the key',
  },
  {
    name: 'only Bearer keys are taken',
    file: 'core/keys/authorize.ts',
    replace: "authorization.replace(/^Bearer /i, '')",
    by: 'authorization.slice(7)',
    test: FIRST_JOB,
    named: 'nothing of a key without Bearer',
  },
  {
    name: 'an unknown endpoint is not noticed',
    file: 'core/jobs/health.ts',
    replace: 'if (!endpoint) throw new EndpointNotFound(id);',
    by: "if (!endpoint) throw new Error('gone');",
    test: FIRST_JOB,
    named: '404 for GET /nowhere/health',
  },
  {
    name: 'an unknown route is 403',
    file: 'lib/gateway-responses.ts',
    replace: '{ type: ResponseType.MISSING_AUTHENTICATION_TOKEN, ...noRoute },',
    by: '',
    test: FIRST_JOB,
    named: '404 for GET /echo/nothing',
  },
  {
    name: 'a ttl below the minimum is taken',
    file: 'core/limits.ts',
    replace: 'ttl: { default: DAY, min: 10 * SECOND, max: 7 * DAY },',
    by: 'ttl: { default: DAY, min: 1, max: 7 * DAY },',
    test: FIRST_JOB,
    named: '400 for the body',
  },
  {
    name: 'any input is taken',
    file: 'core/jobs/submission.ts',
    replace: "if (!input.startsWith('{'))",
    by: "if (input === 'null')",
    test: FIRST_JOB,
    named: '400 for the body',
  },
  {
    name: 'an input of any size is taken',
    file: 'core/jobs/submission.ts',
    replace: 'if (size > payloadLimits.item)',
    by: 'if (size > payloadLimits.body)',
    test: FIRST_JOB,
    named: '413 for a body',
  },
  {
    name: 'management has no limit',
    file: 'core/routes.ts',
    replace: "path: '/endpoints', limit: { per10Seconds: 100, concurrent: 20 }",
    by: "path: '/endpoints', limit: { per10Seconds: 10_000, concurrent: 5_000 }",
    test: FIRST_JOB,
    named: '429 above the rate',
  },
  {
    name: 'every endpoint has every job',
    file: 'core/jobs/status.ts',
    replace: 'if (!endpoint) throw new EndpointNotFound(key.endpoint);',
    by: "if (!endpoint) throw new Error('gone');",
    test: FIRST_JOB,
    named: 'is not there on another endpoint',
  },
  {
    name: 'a hint is dropped when its job is taken',
    file: 'worker/agent.ts',
    replace: "if (taken.outcome === 'stale') await world.hints.drop(hint);",
    by: "if (taken.outcome !== 'held') await world.hints.drop(hint);",
    test: CRASH,
    named: 'kill -9 of npm start|brings its job back',
  },
  {
    name: 'a lost worker is trusted for ever',
    file: 'core/workers/lease.ts',
    replace: 'lease !== undefined && lease.endsAt >= now',
    by: 'lease === undefined || lease.endsAt > 0',
    test: CRASH,
    named: 'brings its job back',
  },
];
