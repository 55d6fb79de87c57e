/** Mutants of the limits on waiting calls. */
import { type Mutant, mutant } from './mutant.ts';

const SLOTS = 'test/waiting-calls/slots.test.ts';
const SPREAD = 'test/waiting-calls/spread-slots.long.ts';
const STORE = 'aws/waiting-calls/slots.ts';
const LEASES = 'aws/waiting-calls/leases.ts';
const SETS = 'aws/waiting-calls/lease-sets.ts';
const HTTP = 'test/acceptance/waits.long.ts';
const FUNCTIONS = 'local/test/functions/functions.test.ts';
const USE_CASE = 'core/waiting-calls/slots.ts';

export const waitSlotMutants: readonly Mutant[] = [
  mutant('a stream waits without a slot')
    .remove('core/streams/follow.ts', '    await hold?.();\n')
    .killedBy(SLOTS, '/stream lets 400 calls'),
  mutant('the status is sent while a call can still be refused')
    .replace('core/http/body.ts', 'while (mustWait())', 'while (false)')
    .killedBy('test/lambda/http-stream.test.ts', 'has the status of a late refusal if the request can still'),
  mutant('a key that could not be checked returns 500')
    .replace(
      'lib/api/gateway-responses.ts',
      '{ type: ResponseType.AUTHORIZER_FAILURE, ...unchecked }',
      '{ type: ResponseType.AUTHORIZER_FAILURE, ...ourFault }',
    )
    .killedBy('test/lib/api/gateway-responses.test.ts', 'AUTHORIZER_FAILURE'),
  mutant('a local function accepts an unlimited number of simultaneous calls')
    .replace('local/functions/functions.ts', 'Number.POSITIVE_INFINITY : AT_ONCE', 'Number.POSITIVE_INFINITY : 1_000')
    .killedBy(FUNCTIONS, 'runs 16 calls'),
  mutant('an endpoint has one slot too many in each item')
    .replace(STORE, '[set]: share }', '[set]: share + 1 }')
    .killedBy(SLOTS, 'lets 400 calls'),
  mutant('a deployment has one slot too many in each item')
    .replace(STORE, '{ all: size, [set]', '{ all: size + 1, [set]')
    .killedBy(SLOTS, 'in a deployment'),
  mutant('all endpoints share their slots')
    .replace(STORE, '`${endpoint}/${operation}`', '`${operation}`')
    .killedBy(SLOTS, 'counts each endpoint'),
  mutant('an endpoint has one slot too many in the shared items')
    .replace(STORE, '{ [setOf(request)]: share }', '{ [setOf(request)]: share + 1 }')
    .killedBy(SPREAD, 'and no more, while'),
  mutant('a deployment has one slot too many in the shared items')
    .replace(STORE, '{ all: size }', '{ all: size + 1 }')
    .killedBy(SPREAD, 'are refused with at most 48 writes'),
  mutant('an endpoint is refused if leases of other endpoints fill its items')
    .replace(STORE, 'ROOM_ATTEMPTS = 32', 'ROOM_ATTEMPTS = 0')
    .killedBy(SPREAD, 'while the deployment has free slots'),
  mutant('a refused call reads all items of the deployment')
    .replace(STORE, 'ROOM_ATTEMPTS = 32', 'ROOM_ATTEMPTS = 10_000')
    .killedBy(SPREAD, 'at most 48 writes'),
  mutant('a slot in a shared item is not released for the deployment')
    .replace(STORE, "leaseSets.remove(countedIn, ['all'], [lease]),", 'undefined,')
    .killedBy(SPREAD, 'after their release'),
  mutant('all operations share their slots')
    .replace(STORE, '`${endpoint}/${operation}`', '`${endpoint}`')
    .killedBy(SLOTS, 'counts each endpoint'),
  mutant('the slots of dead functions are never freed')
    .replace(LEASES, '* MINUTE <= now', '* MINUTE <= 0')
    .killedBy(SLOTS, 'slots of dead functions'),
  mutant('a lease ends before the longest wait')
    .replace(LEASES, '(now + WAIT_LEASE)', '(now + WAIT_LEASE / 2)')
    .killedBy(SLOTS, 'slots of dead functions'),
  mutant('a repeated write takes another slot')
    .replace(
      SETS,
      'or(and(...hasRoom), contains(first, lease))',
      'and(...hasRoom, { part: (command) => `NOT ${contains(first, lease).part(command)}` })',
    )
    .killedBy(SLOTS, 'although the first response'),
  mutant('a slot is released only for its endpoint')
    .replace(STORE, "['all', setOf(slot)]", '[setOf(slot)]')
    .killedBy(SLOTS, 'releases the slot of a call that fails'),
  mutant('a failed call keeps its slot')
    .replace(USE_CASE, 'if (slot) await', 'if (slot && clock.now() < 0) await')
    .killedBy(SLOTS, 'releases the slot of a call that fails'),
  mutant('a refused call stores its job')
    .remove('core/submission/submit.ts', '  await admit();\n')
    .killedBy(SLOTS, 'lets 400 calls'),
  mutant('a call takes a slot before the request is checked')
    .replace('core/status/runsync.ts', 'async (hold) => {\n', 'async (hold) => {\n    await hold();\n')
    .killedBy(SLOTS, 'refused as invalid'),
  mutant('a call takes a slot for a job that has ended')
    .replace(
      'core/waiting-calls/wait.ts',
      '  let job = isNew ? undefined : (await find(ports, key)).job;\n',
      '  await hold();\n  let job = isNew ? undefined : (await find(ports, key)).job;\n',
    )
    .killedBy(SLOTS, 'that has ended'),
  mutant('waiting clients use up the calls of other endpoints')
    .replace(
      'core/status/runsync.ts',
      '{ mayBeStored, admit: hold });\n    // Release the body, because a waiting call must not hold it in memory.\n    request.body = NO_BODY;\n    onSubmitted();\n    const job = await waitFor(ports, submitted, wait, hold, { gone, isNew: submitted.isNew });',
      '{ mayBeStored });\n    const job = await waitFor(ports, submitted, wait, async () => undefined);',
    )
    .killedBy(HTTP, 'calls to other endpoints still succeed'),
  mutant('executions are not limited on a laptop')
    .replace(
      'local/functions/concurrency.ts',
      'if (pool.running >= pool.size) refuse(pool);',
      'if (pool.running < 0) refuse(pool);',
    )
    .killedBy(FUNCTIONS, 'is throttled'),
  mutant('completed executions still count')
    .replace('local/functions/concurrency.ts', 'running -= 1;', 'running -= 0;')
    .killedBy(FUNCTIONS, 'is throttled'),
  mutant('a throttled stream loses its records')
    .remove('local/streams/delivery.ts', 'if (error instanceof FunctionThrottled) return undefined;')
    .killedBy('local/test/streams/event-source.test.ts', 'which does not count as a retry'),
  mutant('a throttled event is lost')
    .replace(
      'local/events/bus.ts',
      'if (!(error instanceof FunctionThrottled) || stopping',
      'if (error instanceof FunctionThrottled || stopping',
    )
    .killedBy('local/test/events/bus.test.ts', 'that is throttled'),
  mutant('a throttled function returns 502')
    .replace(
      'local/gateway/integration.ts',
      "return new Refusal('INTEGRATION_THROTTLED',",
      "return new Refusal('INTEGRATION_MALFORMED',",
    )
    .killedBy('local/test/gateway/gateway.test.ts', 'that Lambda throttles'),
];
