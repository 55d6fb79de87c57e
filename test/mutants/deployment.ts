/** Mutants of settings for the whole account: TLS, slots of waiting calls, and reserved concurrency. */
import { type Mutant, mutant } from './mutant.ts';

const RESERVED = 'test/lib/constructs/reserved-concurrency.test.ts';
const CONCURRENCY = 'local/test/functions/concurrency.test.ts';
const DOCTOR = 'test/bin/doctor/concurrency.test.ts';
const WAITS = 'test/lib/jobs/waits.test.ts';
const SLOTS = 'test/lambda/wait-slots.test.ts';
const TRANSPORT = 'test/lib/deployment/transport.test.ts';

export const deploymentMutants: readonly Mutant[] = [
  mutant('the interfaces accept TLS 1.0')
    .remove('lib/api/address.ts', '      securityPolicy: tls.policy,\n')
    .killedBy(TRANSPORT, 'refuse TLS below'),
  mutant('a request can name a different host from its TLS handshake')
    .replace('lib/api/address.ts', 'mode: EndpointAccessMode.STRICT', 'mode: EndpointAccessMode.BASIC')
    .killedBy(TRANSPORT, 'refuse TLS below'),
  mutant('a queue accepts requests without TLS')
    .remove('lib/ledger/ledger.ts', '      enforceSSL: true,\n')
    .killedBy(TRANSPORT, 'each queue'),
  mutant('waiting calls can use all executions of the account')
    .replace('core/waiting-calls/slots.ts', 'Math.floor(concurrentExecutions / 2)', 'concurrentExecutions')
    .killedBy(SLOTS, 'concurrent executions are'),
  mutant('an account with one execution has no slot for waiting calls')
    .replace(
      'core/waiting-calls/slots.ts',
      'Math.max(Math.floor(concurrentExecutions / 2), waitsLimits.min)',
      'Math.floor(concurrentExecutions / 2)',
    )
    .killedBy(SLOTS, 'concurrent executions are'),
  mutant('the quota is read despite the context `waits`')
    .replace(
      'lib/jobs/waits.ts',
      'waits === undefined ? this.#read() : String(waits)',
      'waits === -1 ? String(waits) : this.#read()',
    )
    .killedBy(WAITS, 'the quota of the account is not read'),
  mutant('a raised quota is never read')
    .remove('lib/jobs/waits.ts', '...(readQuota !== undefined && { properties: { readQuota } }),')
    .killedBy(WAITS, 'reads the quota again'),
  mutant('executions are reserved without the setting')
    .replace(
      'lib/constructs/reserved-concurrency.ts',
      "if (value === undefined || value === '' || value === 'off') return undefined;",
      "if (value === 'off') return undefined;\n  if (value === undefined || value === '') return sizes[name];",
    )
    .killedBy(RESERVED, 'reserves nothing'),
  mutant('the ledger has no reservation')
    .remove('lib/ledger/ledger.ts', "      reserving: 'ledger',\n")
    .killedBy(RESERVED, 'reserves concurrency for'),
  mutant('the size of a reservation in the configuration is ignored')
    .replace('lib/constructs/reserved-concurrency.ts', 'given.data[name] ?? sizes[name]', 'sizes[name]')
    .killedBy(RESERVED, 'sets the sizes'),
  mutant('a reservation of 0 can turn off a function')
    .replace('lib/constructs/reserved-concurrency.ts', '{ min: 1, max: 10_000 }', '{ min: 0, max: 10_000 }')
    .killedBy(RESERVED, 'lists the allowed values'),
  mutant('a reservation on a laptop takes no executions from other functions')
    .remove('local/functions/concurrency.ts', '      common.size = left;\n')
    .killedBy(CONCURRENCY, 'runs the ledger while'),
  mutant('a reservation on a laptop is not a maximum')
    .replace(
      'local/functions/concurrency.ts',
      'const pool = reserved.get(arn) ?? common;',
      'const own = reserved.get(arn);\n      const pool = own && own.running < own.size ? own : common;',
    )
    .killedBy(CONCURRENCY, 'even if other executions are free'),
  mutant('a laptop accepts reservations that AWS refuses')
    .replace('local/functions/concurrency.ts', 'if (left < UNRESERVED)', 'if (left < 0)')
    .killedBy(CONCURRENCY, 'as AWS does'),
  mutant('a laptop drops reservations')
    .remove(
      'local/cloudformation/resources/lambda.ts',
      '    reserved: resource.properties.ReservedConcurrentExecutions,\n',
    )
    .killedBy('local/test/cloudformation/deploy.test.ts', 'a reservation that leaves too few'),
  mutant('the doctor mistakes the quota for the number of calls that can wait')
    .replace('bin/doctor/concurrency.ts', 'const half = slotsOf(executions);', 'const half = slotsOf(2 * executions);')
    .killedBy(DOCTOR, 'are too few if the contract allows more, and the fix is a larger'),
  mutant('the doctor always counts only one endpoint')
    .replace(
      'bin/doctor/concurrency.ts',
      'allowed: endpoints * perEndpoint',
      'allowed: Math.min(endpoints, 1) * perEndpoint',
    )
    .killedBy(DOCTOR, 'are too few if the contract allows more, and the fix is a larger'),
  mutant('the doctor ignores reservations')
    .replace('bin/doctor/concurrency.ts', 'const shared = executions - reserved;', 'const shared = executions;')
    .killedBy(DOCTOR, 'are too many if they use all executions'),
  mutant('the doctor does not read the context `waits`')
    .replace(
      'bin/doctor/concurrency.ts',
      "typeof waits === 'string' ? Number(waits) : undefined",
      "typeof waits === 'number' ? waits : undefined",
    )
    .killedBy(DOCTOR, 'is less than the contract allows, with a quota'),
];
