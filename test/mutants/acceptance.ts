/** Mutants that the acceptance tests must detect. Each acceptance test has at least one. */
import { apiAcceptanceMutants } from './api.ts';
import { clientAcceptanceMutants } from './client.ts';
import { httpAcceptanceMutants } from './http.ts';
import { type Mutant, mutant } from './mutant.ts';

const FIRST_JOB = 'test/acceptance/first-job.test.ts';
const CRASH = 'test/acceptance/crash.test.ts';
const ALIVE = 'test/acceptance/alive.test.ts';
const KILL_MATRIX = 'test/acceptance/kill-matrix.test.ts';
const PERMISSIONS = 'test/acceptance/permissions.test.ts';
const ALL_PERMISSIONS = 'test/acceptance/permissions.long.ts';
const WORKERS = 'test/acceptance/workers.test.ts';

export const acceptanceMutants: readonly Mutant[] = [
  ...apiAcceptanceMutants,
  ...clientAcceptanceMutants,
  ...httpAcceptanceMutants,
  mutant("a job that RunPod's SDK has stopped ends the other jobs of its worker")
    .remove('worker/gateway/polls.ts', 'await agent.confirmStopped();')
    .killedBy(WORKERS, 'continues the jobs beside it'),
  mutant('a worker that requests its replacement is not replaced')
    .remove('worker/gateway/reports.ts', 'if (done.replace) agent.retire();')
    .killedBy(WORKERS, 'is replaced after a job'),
  mutant('input is parsed and serialized again')
    .replace(
      'core/json/json.ts',
      'members.set(name, bytes.subarray(from, to));',
      'members.set(name, Buffer.from(JSON.stringify(JSON.parse(String(bytes.subarray(from, to))))));',
    )
    .killedBy(FIRST_JOB, 'byte for byte'),
  mutant('a large payload is cut')
    .replace('aws/jobs/s3-objects.ts', 'return content;', 'return content.subarray(0, 100_000);')
    .killedBy(FIRST_JOB, '300 KB|bytes byte for byte'),
  mutant('s3Config is stored in plain text')
    .replace('core/jobs/payload.ts', 'await ports.secrets.seal(key, text)', "'s3Config', text, removeAfter")
    .killedBy(FIRST_JOB, 's3Config (?:reaches|does not appear in)'),
  mutant('s3Config is not checked')
    .remove(
      'core/submission/request.ts',
      "  validateSecret(omittable.s3Config, body.smallValue('s3Config'), 's3Config');\n",
    )
    .killedBy(FIRST_JOB, 's3Config does not appear in'),
  mutant('/status does not accept POST')
    .replace(
      'core/operations/table.ts',
      '"methods":["GET","POST"],"path":"/{endpoint}/status/{job}"',
      '"methods":["GET"],"path":"/{endpoint}/status/{job}"',
    )
    .killedBy(FIRST_JOB, 'can be read immediately'),
  mutant('a job is acknowledged before it is stored')
    .replace(
      'core/submission/submit.ts',
      'await ports.jobs.create(job);',
      'setTimeout(() => ports.jobs.create(job), 50);',
    )
    .killedBy(FIRST_JOB, 'can be read immediately'),
  mutant('the worker drops the error of the handler')
    .replace(
      'worker/sdk/runner.ts',
      'const message = error instanceof Error ? error.message : String(error);',
      "const message = 'The handler failed.';",
    )
    .killedBy(FIRST_JOB, 'has the error of its handler'),
  mutant('the job record has no worker')
    .remove('core/jobs/record.ts', "workerId: quoted('worker' in job ? job.worker : undefined),")
    .killedBy(FIRST_JOB, 'is IN_PROGRESS with its worker'),
  mutant('health does not count failures')
    .replace('core/ledger/delta.ts', "  FAILED: 'failed',", 'FAILED: undefined,')
    .killedBy(FIRST_JOB, 'has the error of its handler|is counted in health'),
  mutant('the list of endpoints is empty')
    .replace(
      'core/management/endpoints.ts',
      "permitted.includes('*') || permitted.includes(id)",
      'permitted.includes(id)',
    )
    .killedBy(FIRST_JOB, 'lists the endpoints'),
  mutant('a missing header returns the default error of the gateway')
    .replace('lib/api/gateway-responses.ts', 'error: MISSING_KEY', 'error: noKey')
    .killedBy(FIRST_JOB, '401 if it has no Authorization header'),
  mutant('a refused key returns 403')
    .remove(
      'lib/api/gateway-responses.ts',
      "  {\n    type: ResponseType.ACCESS_DENIED,\n    status: 401,\n    code: '$context.authorizer.code',\n    // JSON: a sentence or, for OpenAI's clients, an object.\n    error: { json: '$context.authorizer.error' },\n  },\n",
    )
    .killedBy(
      FIRST_JOB,
      '401 (?:if it has (?:an empty key|an unsupported scheme|a malformed key)|for a key with a wrong)',
    ),
  mutant('the reason of a refusal contains the key')
    .replace(
      'core/authorizer/authorize.ts',
      "'The Authorization header does not contain a well-formed API key: send `Bearer <API key>`.'",
      "'The Authorization header holds no API key: '.concat(secret)",
    )
    .killedBy(FIRST_JOB, 'the response does not contain the key'),
  mutant('only Bearer keys are accepted')
    .replace('core/authorizer/authorize.ts', "authorization.replace(/^Bearer\\s+/i, '')", 'authorization.slice(7)')
    .killedBy(FIRST_JOB, 'is accepted if the header contains the key without'),
  mutant('an unknown endpoint is accepted')
    .replace(
      'core/endpoints/store.ts',
      'if (!endpoint) throw new EndpointNotFound(id);',
      "if (!endpoint) throw new Error('gone');",
    )
    .killedBy(FIRST_JOB, '404 for (GET|POST) /nowhere|is not found on an endpoint that does not exist'),
  mutant('an unknown route returns 403')
    .replace(
      'lib/api/unknown-routes.ts',
      "        statusCode: '404',\n        responseT",
      "        statusCode: '403',\n        responseT",
    )
    .killedBy(FIRST_JOB, '404 for GET (/echo/nothing|/echo/run|/$)'),
  mutant('a ttl below the minimum is accepted')
    .replace(
      'core/limits.ts',
      'ttl: { default: DAY, min: 10 * SECOND, max: 7 * DAY },',
      'ttl: { default: DAY, min: 1, max: 7 * DAY },',
    )
    .killedBy(FIRST_JOB, '400 for the body'),
  mutant('any input is accepted')
    .replace('core/submission/request.ts', 'if (input[0] !== OBJECT)', "if (input === 'null')")
    .killedBy(FIRST_JOB, '400 for the body'),
  mutant('an input of any size is accepted')
    .replace('local/functions/functions.ts', 'PAYLOAD_LIMIT = 6_291_456', 'PAYLOAD_LIMIT = 66_291_456')
    .killedBy(FIRST_JOB, '413 for a body'),
  mutant('management has no limit')
    .replace(
      'core/operations/table.ts',
      '"path":"/endpoints","limit":{"per10Seconds":100}',
      '"path":"/endpoints","limit":{"per10Seconds":10000}',
    )
    .killedBy(FIRST_JOB, '429 with Retry-After above the rate'),
  mutant('a message is dropped when its job is taken')
    .replace(
      'worker/agent/job-loop.ts',
      "if (taken.outcome === 'stale') await ports.jobQueues.drop(message);",
      "if (taken.outcome !== 'held') await ports.jobQueues.drop(message);",
    )
    .killedBy(CRASH, 'kill -9 of npm start'),
  // ECS sends an event for a stopped task. Only the lease shows that an agent hangs.
  mutant('a lost worker never expires')
    .replace(
      'core/workers/lease.ts',
      'lease !== undefined && lease.endsAt >= now',
      'lease === undefined || lease.endsAt > 0',
    )
    .killedBy(KILL_MATRIX, 'after a SIGSTOP to the agent in phase running'),
  mutant('the outputs file is not removed')
    .remove('local/components.ts', '  shutdown.add(() => state.remove(OUTPUTS));\n')
    .killedBy(CRASH, 'stops everything within 5 s'),
  mutant('the error for a port in use does not name the cause')
    .replace('local/network/address.ts', "code === 'EADDRINUSE'", "code === 'EANY'")
    .killedBy(CRASH, 'port is in use'),
  mutant('a port can be out of range')
    .replace('local/options.ts', '&& number >= 1 && number <= max', '&& number >= 1')
    .killedBy(CRASH, 'a port is invalid'),
  mutant('the gateway serves a method that the template does not have')
    .replace(
      'local/gateway/resource-tree.ts',
      "methods.get(httpMethod) ?? (EVERY_METHOD.has(httpMethod) ? methods.get('ANY') : undefined);",
      'methods.get(httpMethod) ?? methods.values().next().value;',
    )
    .killedBy(FIRST_JOB, '404 for GET /echo/run'),
  mutant('methods are not read from the template')
    .replace(
      'local/gateway/handle.ts',
      "if (!match) throw refusalWithoutMethod(headerOf(request, 'authorization'));",
      "if (!match) return { status: 200, headers: [], body: '{}' };",
    )
    .killedBy('local/test/gateway/unknown.test.ts', 'gets MISSING_AUTHENTICATION_TOKEN if it has no'),
  mutant('throttles are not read from the template')
    .replace(
      'local/gateway/usage-plan.ts',
      "  return otherwise && ['*', otherwise];",
      "  return ['*', otherwise ?? { rate: 10, burst: 20 }];",
    )
    .killedBy(PERMISSIONS, 'has no throttle'),
  mutant("API Gateway's body limit is not enforced")
    .replace(
      'local/gateway/handle.ts',
      "if (!request.body) throw new Refusal('REQUEST_TOO_LARGE');",
      "if (!request.body) throw new Refusal('BAD_REQUEST_PARAMETERS');",
    )
    .killedBy(FIRST_JOB, '413 for a body'),
  mutant('an agent waits for its container after the container has exited')
    .replace('worker/agent/shutdown.ts', '(await hasExited(host)) ? 0 : DRAIN_GRACE', '600_000')
    .killedBy(KILL_MATRIX, 'after a SIGKILL to the supervisor in phase running'),
  mutant('a malformed body returns 422')
    .replace(
      'core/requests/errors.ts',
      "readonly status = 400;\n  readonly code = 'INVALID_REQUEST';",
      "readonly status = 422;\n  readonly code = 'INVALID_REQUEST';",
    )
    .killedBy(FIRST_JOB, '400 for the body'),
  mutant('a missing job returns 410')
    .replace('core/requests/errors.ts', "readonly code = 'JOB_NOT_FOUND';", "readonly code = 'GONE';")
    .killedBy(FIRST_JOB, '404 for GET /echo/status/unknown'),
  mutant('runsync does not wait')
    .replace(
      'core/status/runsync.ts',
      'const job = await waitFor(ports, submitted, wait, hold, { gone, isNew: submitted.isNew });',
      'const job = await waitFor(ports, submitted, 0, hold);',
    )
    .killedBy(FIRST_JOB, 'is returned to waiting clients'),
  mutant('jobs of low priority start workers')
    .replace('core/ledger/delta.ts', "job.status === 'IN_QUEUE' && job.lowPriority ? 1 : 0", '0')
    .killedBy(ALIVE, 'starts none for jobs of low priority'),
  mutant('only the sweeper starts workers')
    .replace(
      'core/ledger/record.ts',
      "if (hasComeToWait(sumOf(all.map(({ delta }) => delta)))) await scale(ports, endpoint, 'up');",
      'hasComeToWait(sumOf(all.map(({ delta }) => delta)));',
    )
    .killedBy(ALIVE, 'immediately starts a worker for the first normal job'),
  mutant('idle workers are never stopped')
    .replace(
      'core/fleet/scale.ts',
      "if (direction === 'up') return fleet.backOff ? present : Math.max(known, present);",
      'return fleet.backOff ? present : Math.max(known, present);',
    )
    .killedBy(ALIVE, 'starts a worker for the first normal job|has no workers again'),
  mutant('the agent does not notice a cancellation')
    .replace('core/workers/hold.ts', "      return 'cancelled';", '      return undefined;')
    .killedBy(ALIVE, 'is CANCELLED immediately'),
  mutant('the agent continues a job that has timed out')
    .replace(
      'core/workers/hold.ts',
      "    case 'TIMED_OUT':\n      return 'timed out';",
      "    case 'TIMED_OUT':\n      return undefined;",
    )
    .killedBy(ALIVE, 'after its execution timeout'),
  mutant('a job has one attempt too many')
    .replace('core/limits.ts', 'MAX_ATTEMPTS = 3', 'MAX_ATTEMPTS = 4')
    .killedBy(ALIVE, 'ends FAILED after three attempts'),
  mutant('a job record has no output')
    .replace(
      'core/jobs/record.ts',
      '...headOf(job, ports.clock.now()), output, error',
      '...headOf(job, ports.clock.now()), error',
    )
    .killedBy(KILL_MATRIX, 'a job whose worker gets a signal'),
  mutant('a role has a permission that it does not use')
    .replace(
      'lib/jobs/tables.ts',
      "this.grant(client, ['Query', 'DeleteItem'],",
      "this.grant(client, ['Query', 'DeleteItem', 'PutItem'],",
    )
    .killedBy(ALL_PERMISSIONS, 'are used or explained'),
  mutant('a refused call is not printed')
    .replace('local/aws-proxy/gate.ts', 'if (!notified.has(`${role} ${action}`))', 'if (notified.has(role))')
    .killedBy(PERMISSIONS, 'is printed once by npm start'),
];
