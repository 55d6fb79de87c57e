/** The ingress: who calls, what is refused before it is read, and clients that leave. */
import type { Mutant } from './mutant.ts';

const SERVER = 'test/ingress/server.test.ts';

export const ingressMutants: readonly Mutant[] = [
  {
    name: 'a client that has left keeps its slot',
    file: 'ingress/server.ts',
    replace: 'idempotencyKey, gone };',
    by: 'idempotencyKey };',
    test: SERVER,
    named: 'gives its slot back before the wait is over',
  },
  {
    name: 'a request with two owners has the first',
    file: 'ingress/callers.ts',
    replace: 'owner === undefined || more.length > 0',
    by: 'owner === undefined',
    test: SERVER,
    named: 'are refused with two owners',
  },
  {
    name: 'a key that permits another endpoint takes the direct way',
    file: 'ingress/callers.ts',
    replace: '{ authorization, operation, endpoint });',
    by: '{ authorization, operation });',
    test: SERVER,
    named: 'are refused with a key of another endpoint',
  },
  {
    name: 'a task that drains is healthy',
    file: 'ingress/server.ts',
    replace: 'isDraining() ? 503 : 200',
    by: '200',
    test: SERVER,
    named: 'answers 200, and 503 while the task drains',
  },
];
