/** Breaks of what a deployment sets for the account as a whole: TLS, slots of calls that wait, and reservations. */
import type { Mutant } from './mutant.ts';

const RESERVED = 'test/lib/reserved-concurrency.test.ts';
const CONCURRENCY = 'test/local/concurrency.test.ts';
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
  {
    name: 'executions are reserved without the setting',
    file: 'lib/reserved-concurrency.ts',
    replace: "if (value === undefined || value === '' || value === 'off') return undefined;",
    by: "if (value === 'off') return undefined;\n  if (value === undefined || value === '') return sizes[name];",
    test: RESERVED,
    named: 'reserves nothing',
  },
  {
    name: 'the ledger has no reservation',
    file: 'lib/ledger.ts',
    replace: "      reserving: 'ledger',\n",
    by: '',
    test: RESERVED,
    named: 'reserves executions',
  },
  {
    name: 'the size that a deployment names is not used',
    file: 'lib/reserved-concurrency.ts',
    replace: 'given.data[name] ?? sizes[name]',
    by: 'sizes[name]',
    test: RESERVED,
    named: 'sets the sizes',
  },
  {
    name: 'a function may be turned off by a reservation of 0',
    file: 'lib/reserved-concurrency.ts',
    replace: '{ min: 1, max: 10_000 }',
    by: '{ min: 0, max: 10_000 }',
    test: RESERVED,
    named: 'says what is allowed',
  },
  {
    name: 'a reservation on a laptop takes nothing from the others',
    file: 'local/functions/concurrency.ts',
    replace: '      common.size = left;\n',
    by: '',
    test: CONCURRENCY,
    named: 'runs the ledger while',
  },
  {
    name: 'a reservation on a laptop is no maximum',
    file: 'local/functions/concurrency.ts',
    replace: 'const pool = reserved.get(arn) ?? common;',
    by: 'const own = reserved.get(arn);\n      const pool = own && own.running < own.size ? own : common;',
    test: CONCURRENCY,
    named: 'whatever is free',
  },
  {
    name: 'a laptop reserves what AWS refuses',
    file: 'local/functions/concurrency.ts',
    replace: 'if (left < UNRESERVED)',
    by: 'if (left < 0)',
    test: CONCURRENCY,
    named: 'as AWS does',
  },
  {
    name: 'a laptop drops reservations',
    file: 'local/resources/lambda.ts',
    replace: '    reserved: resource.properties.ReservedConcurrentExecutions,\n',
    by: '',
    test: 'test/local/deploy.test.ts',
    named: 'a reservation that leaves too few',
  },
];
