/** Breaks of what a deployment sets for the account as a whole: TLS, slots of calls that wait, and reservations. */
import type { Mutant } from './mutant.ts';

const WAITS = 'test/lib/waits.test.ts';
const SLOTS = 'test/lambda/wait-slots.test.ts';
const TRANSPORT = 'test/lib/transport.test.ts';

export const deploymentMutants: readonly Mutant[] = [
  {
    name: 'the interfaces accept TLS 1.0',
    file: 'lib/api.ts',
    replace: '    api.node.defaultChild.securityPolicy = tls.policy;\n',
    by: '',
    test: TRANSPORT,
    named: 'refuse TLS below',
  },
  {
    name: 'a request may name another host than its handshake',
    file: 'lib/api.ts',
    replace: 'mode: EndpointAccessMode.STRICT',
    by: 'mode: EndpointAccessMode.BASIC',
    test: TRANSPORT,
    named: 'refuse TLS below',
  },
  {
    name: 'a queue takes requests without TLS',
    file: 'lib/ledger.ts',
    replace: '      enforceSSL: true,\n',
    by: '',
    test: TRANSPORT,
    named: 'each queue',
  },
  {
    name: 'calls that wait may have all executions of the account',
    file: 'core/jobs/wait-slots.ts',
    replace: 'Math.floor(concurrentExecutions / 2)',
    by: 'concurrentExecutions',
    test: SLOTS,
    named: 'concurrent executions of the account',
  },
  {
    name: 'an account with one execution has no slot',
    file: 'core/jobs/wait-slots.ts',
    replace: 'Math.max(Math.floor(concurrentExecutions / 2), waitsLimits.min)',
    by: 'Math.floor(concurrentExecutions / 2)',
    test: SLOTS,
    named: 'concurrent executions of the account',
  },
  {
    name: 'the context `waits` is read and the quota too',
    file: 'lib/waits.ts',
    replace: 'waits === undefined ? this.#read() : String(waits)',
    by: 'waits === -1 ? String(waits) : this.#read()',
    test: WAITS,
    named: 'the quota of the account is not read',
  },
  {
    name: 'a raised quota is never read',
    file: 'lib/waits.ts',
    replace: '...(readQuota !== undefined && { properties: { readQuota } }),',
    by: '',
    test: WAITS,
    named: 'reads the quota again',
  },
  {
    name: 'another LOCAL_CONCURRENCY is not read',
    file: 'local/custom-resources.ts',
    replace: 'before.read === read && ',
    by: '',
    test: 'test/local/custom-resources.test.ts',
    named: 'when what it reads of the account changes',
  },
];
