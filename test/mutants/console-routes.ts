/** Mutants of the routes that the web console calls. */
import { type Mutant, mutant } from './mutant.ts';

const INPUT = 'test/jobs/input.test.ts';
const AUTHORIZE = 'test/keys/authorize.test.ts';
const MANAGE = 'test/keys/manage.test.ts';
const BIN_KEYS = 'test/bin/keys.test.ts';
const REGISTER = 'test/lambda/register.test.ts';
const DECLARATION = 'test/lib/endpoints/declaration.test.ts';
const WORKERS = 'test/management/workers.test.ts';
const FIND_JOB = 'test/management/find-job.test.ts';

export const consoleRouteMutants: readonly Mutant[] = [
  mutant('the input of a job includes its sealed s3Config')
    .replace(
      'core/jobs/input.ts',
      'loadBytes(ports, job, job.input)',
      'loadBytes(ports, job, job.s3Config ?? job.input)',
    )
    .killedBy(INPUT, 'contains no part of s3Config'),
  mutant('the input of a job is parsed and serialized again')
    .replace(
      'core/jobs/input.ts',
      'new JsonText([await loadBytes(ports, job, job.input)])',
      'new JsonText([JSON.stringify(JSON.parse(String(await loadBytes(ports, job, job.input))))])',
    )
    .killedBy(INPUT, 'byte for byte'),
  mutant('the input of a job is returned after its result has expired')
    .replace(
      'core/jobs/input.ts',
      'const { job } = await find(ports, key);',
      'const job = await ports.jobs.read(key);\n  if (!job) return (await find(ports, key)) as never;',
    )
    .killedBy(INPUT, 'until the result expires'),
  mutant('a key for every operation can call operations for users')
    .replace(
      'core/keys/key.ts',
      'if (isForUsers(operation)) return false;',
      "if (isForUsers(operation) && !key.operations.includes('*')) return false;",
    )
    .killedBy(AUTHORIZE, 'does not permit operations for users, even if it permits'),
  mutant('an operation for users can be granted to a key')
    .remove('core/operations/routes.ts', ' && routes[operation].audience === undefined')
    .killedBy(AUTHORIZE, 'does not permit operations for users, even if it permits'),
  mutant('the list of keys contains their hashes')
    .replace(
      'core/management/keys.ts',
      'return { keys: (await keys.list()).map(summaryOf) };',
      'return { keys: (await keys.list()).map((key) => ({ ...summaryOf(key), hash: key.hash })) };',
    )
    .killedBy(MANAGE, 'without secret and hash'),
  mutant('an unknown field of a key is ignored')
    .replace('core/keys/grant.ts', 'if (unknown.length > 0)', 'if (unknown.length > 99)')
    .killedBy(MANAGE, 'is refused'),
  mutant('a key can be created that has already expired')
    .replace('core/keys/grant.ts', 'expiry <= now', 'expiry < 0')
    .killedBy(MANAGE, 'is refused'),
  mutant('a key can be created for operations for users')
    .replace('core/keys/grant.ts', "z.enum([...keyOperations, '*'], ", "z.enum([...keyOperations, 'create-key', '*'], ")
    .killedBy(MANAGE, 'is refused'),
  mutant('an owner can contain a line break')
    .remove('core/keys/grant.ts', ', z.regex(/^\\P{Cc}*$/u, textMust)')
    .killedBy(MANAGE, 'is refused'),
  mutant('the route logs the key that it creates')
    .replace(
      'lambda/management/create-key.ts',
      'makeKey(ports, body.bytes, randomBytes(64))',
      'makeKey(ports, body.bytes, randomBytes(64)).then((key) => (console.log(JSON.stringify(key)), key))',
    )
    .killedBy(MANAGE, 'does not log the secret'),
  mutant('the errors of the command name fields instead of its options')
    .replace('bin/key-arguments.ts', "'--$1 must'", "'$1 must'")
    .killedBy(BIN_KEYS, 'prints one sentence and no stack trace'),
  mutant('examples remain after they are removed from the file')
    .replace(
      'aws/endpoints/endpoints.ts',
      'if (examples.length === 0) await removeExamples(id);',
      'if (examples.length === 0) await documents.config;',
    )
    .killedBy(REGISTER, 'stores the examples'),
  mutant('examples remain after their endpoint is removed')
    .replace('aws/endpoints/endpoints.ts', '      await removeExamples(id);\n      await', '      await')
    .killedBy(REGISTER, 'stores the examples'),
  mutant('examples can have any size')
    .replace('lib/endpoints/examples.ts', '<= bytes, bytesMust', '<= 16 * bytes, bytesMust')
    .killedBy(DECLARATION, 'is refused for'),
  mutant('a worker shows the version of the newest release')
    .replace('core/management/workers.ts', 'releases.get(revision)', 'releases.get(Math.max(...releases.keys()))')
    .killedBy(WORKERS, 'the release that it runs'),
  mutant('a job is found in endpoints that the key does not permit')
    .replace(
      'core/management/find-job.ts',
      "permitted.includes('*') || permitted.includes(endpoint)",
      'permitted.length > 0',
    )
    .killedBy(FIND_JOB, 'is found only by a key that may call its endpoint'),
  mutant('a job is searched for in only one hundred endpoints')
    .replace('core/management/find-job.ts', 'n += pollLimits.batch', 'n += Number.POSITIVE_INFINITY')
    .killedBy(FIND_JOB, 'is found in the last of more endpoints than fit into a'),
  mutant('a job that a batch has not returned is reported as missing')
    .replace('core/management/find-job.ts', "left = left.filter((_, n) => read[n] === 'not read');", 'left = [];')
    .killedBy(FIND_JOB, 'is read again if DynamoDB omitted it from a batch'),
  mutant('a found job shows its stored status')
    .replace('core/management/find-job.ts', '(await foundFrom(ports, stored, stored)).job', 'stored')
    .killedBy(FIND_JOB, 'according to the clock'),
];
