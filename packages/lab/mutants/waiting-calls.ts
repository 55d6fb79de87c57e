/** Mutants of the slots of waiting calls. */
import { type Mutant, mutant } from './mutant.ts';

export const waitingCallMutants: readonly Mutant[] = [
  mutant('the slots of dead functions are never freed')
    .replace('aws/waiting-calls/leases.ts', '* MINUTE <= now', '* MINUTE <= 0')
    .killedBy('test/waiting-calls/slots.test.ts', 'slots of dead functions'),
  mutant('a repeated write takes another slot')
    .replace(
      'aws/waiting-calls/lease-sets.ts',
      'or(and(...hasRoom), contains(first, lease))',
      'and(...hasRoom, { part: (command) => `NOT ${contains(first, lease).part(command)}` })',
    )
    .killedBy('test/waiting-calls/slots.test.ts', 'although the first response'),
  mutant('a slot is released only for its endpoint')
    .replace('aws/waiting-calls/slots.ts', "['all', setOf(slot)]", '[setOf(slot)]')
    .killedBy('test/waiting-calls/slots.test.ts', 'releases the slot of a call that fails'),
  mutant('a refused call stores its job')
    .remove('core/submission/submit.ts', '  await admit();\n')
    .killedBy('test/waiting-calls/slots.test.ts', 'lets 400 calls'),
  mutant('a task that was considered dead keeps its tag')
    .replace(
      'aws/waiting-calls/slot-holders.ts',
      "compare('until', '>', now + SKEW)",
      "compare('until', '<>', now + SKEW)",
    )
    .killedBy('test/waiting-calls/slot-holders.test.ts', 'loses its slots'),
  mutant('items of dead holders are removed while they have leases')
    .replace('aws/waiting-calls/slot-holders.ts', 'if (until > before) continue;', 'if (until > clock.now()) continue;')
    .killedBy('test/waiting-calls/slot-holders.test.ts', 'holders that died minutes ago'),
  mutant('a client that has disconnected keeps its slot')
    .replace('ingress/server.ts', 'traceparent, gone };', 'traceparent };')
    .killedBy('test/ingress/server.test.ts', 'frees its slot before the end of the wait'),
];
