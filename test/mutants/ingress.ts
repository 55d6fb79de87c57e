/** Mutants of the ingress: callers, refusals before a body is read, and clients that disconnect. */
import { type Mutant, mutant } from './mutant.ts';

const SERVER = 'test/ingress/server.test.ts';
const BODIES = 'test/ingress/bodies.test.ts';

export const ingressMutants: readonly Mutant[] = [
  mutant('a client that has disconnected keeps its slot')
    .replace('ingress/server.ts', 'idempotencyKey, gone };', 'idempotencyKey };')
    .killedBy(SERVER, 'frees its slot before the end of the wait'),
  mutant('a key of another endpoint is accepted by the direct route')
    .replace('ingress/callers.ts', '{ authorization, operation, endpoint });', '{ authorization, operation });')
    .killedBy(SERVER, 'are refused with a key of another endpoint'),
  mutant('a task that drains is healthy')
    .replace('ingress/server.ts', 'isDraining() ? 503 : 200', '200')
    .killedBy(SERVER, 'answers 200, and 503 while the task drains'),
  mutant('a body is read before its client is authorized')
    .replace(
      'ingress/server.ts',
      '      const { owner } = await identify(incoming, target);\n      const { operation, endpoint, job } = target;\n      const body = submits(operation)\n        ? await bodies.read(incoming, operation, endpoint)\n        : new RequestBody(Buffer.alloc(0));\n',
      '      const { operation, endpoint, job } = target;\n      const body = submits(operation)\n        ? await bodies.read(incoming, operation, endpoint)\n        : new RequestBody(Buffer.alloc(0));\n      const { owner } = await identify(incoming, target);\n',
    )
    .killedBy(SERVER, 'before their body is read if they have no key'),
  mutant('a refused client can send for ever')
    .replace(
      'ingress/send.ts',
      'setTimeout(() => incoming.socket.destroy(), LINGER)',
      'setTimeout(() => undefined, LINGER)',
    )
    .killedBy(SERVER, 'are cut off later'),
  mutant('a call that fails keeps its body')
    .replace('ingress/server.ts', '.finally(() => body.release());', ';')
    .killedBy(BODIES, 'share of the budget when it is refused'),
  mutant('a waiting call keeps its body')
    .remove('core/status/runsync.ts', '    request.body = NO_BODY;\n')
    .killedBy(BODIES, 'holds no body in memory'),
  mutant('a request keeps the body that was read from it')
    .replace('ingress/request-body.ts', "request.on('error', ignore)", "request.on('error', () => undefined)")
    .killedBy(BODIES, 'holds no body in memory'),
  mutant('the body of a disconnected client is kept')
    .replace(
      'ingress/request-body.ts',
      "    close: () => reject(new RequestAborted('The client closed the connection before it sent its whole body.')),\n    error: (cause: Error) => reject(new RequestAborted('The connection broke before the end of the body.', { cause })),\n",
      '    error: () => undefined,\n',
    )
    .killedBy(BODIES, 'frees its share of the budget$'),
  mutant('a refusal because of the budget lacks Retry-After')
    .replace('ingress/memory.ts', '      retryAfter,\n', '      0,\n')
    .killedBy(BODIES, '429 with Retry-After'),
  mutant('a task accepts an unlimited number of calls')
    .replace('ingress/server.ts', 'calls > maxOpenCalls', 'calls < 0')
    .killedBy(SERVER, 'calls beyond the limit of a task'),
  mutant('a truncated response ends like a complete response')
    .replace(
      'ingress/server.ts',
      'outgoing.destroy();\n      if (!(error instanceof ClientLeft',
      'outgoing.end();\n      if (!(error instanceof ClientLeft',
    )
    .killedBy(SERVER, 'cut off where its body fails'),
  mutant('the status of a response waits for its body')
    .remove('ingress/send.ts', '  if (length === undefined) outgoing.flushHeaders();\n')
    .killedBy(SERVER, 'sends its status before its body'),
  mutant('a request from the distribution is recognized by its first header')
    .replace('ingress/callers.ts', 'headersDistinct.authorization?.at(-1)', 'headersDistinct.authorization?.at(0)')
    .killedBy(SERVER, 'last of several keys'),
  mutant('the ingress forgets idempotency keys')
    .replace(
      'ingress/server.ts',
      "headersDistinct['idempotency-key']?.at(-1)",
      "headersDistinct['idempotency-keys']?.at(-1)",
    )
    .killedBy(SERVER, 'job of their idempotency key'),
  mutant('a path without its stage has no operation')
    .replace('ingress/paths.ts', '(?:/${stages.jobs})?${INTEGRATION_PATH}', '/${stages.jobs}${INTEGRATION_PATH}')
    .killedBy('test/ingress/paths.test.ts', 'contains the operation, endpoint and job'),
  mutant('a route also matches longer paths')
    .replace('ingress/paths.ts', '${pattern}$`);', '${pattern}`);')
    .killedBy('test/ingress/paths.test.ts', 'belongs to no operation'),
];
