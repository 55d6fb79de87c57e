/** Finds the tests that must notice the mutants of a room. */
import { existsSync } from 'node:fs';

/** The tests of rooms whose tests are not only in the folder with the name of the room. */
const testsOfRooms: Readonly<Record<string, readonly string[]>> = {
  aws: ['test/aws', 'test/jobs', 'test/users', 'test/webhooks'],
  core: ['test/clock.test.ts', 'test/keys', 'test/aws'],
  'core/authorizer': ['test/authorizer', 'test/keys', 'test/users'],
  'core/expiry': ['test/sweeper', 'test/ledger'],
  'core/fleet': ['test/fleet', 'test/releases/rollout.test.ts'],
  'core/http': ['test/http', 'test/lambda', 'test/openai', 'test/streams/drain.test.ts'],
  'core/jobs': ['test/jobs', 'test/status', 'test/submission', 'test/worker/purged-messages.test.ts'],
  'core/keys': ['test/keys', 'test/users', 'test/bin/deployment/keys.test.ts'],
  'core/management': ['test/management', 'test/fleet', 'test/keys'],
  'core/openai': ['test/openai', 'test/ingress'],
  'core/requests': ['test/submission', 'test/status', 'test/http', 'test/rates'],
  'core/stored-items': ['test/stored-items', 'test/conflicts'],
  'core/workers': [
    'test/workers',
    'test/fleet/state.test.ts',
    'test/jobs',
    'test/sweeper',
    'test/worker/unprotected.test.ts',
  ],
};

/**
 * Returns the folders and files with the tests of a product folder or file.
 * @throws if one of them does not exist
 */
export function testsOf(path: string): readonly string[] {
  const [root = '', room = ''] = path.split('/');
  const name = ['core', 'packages'].includes(root) && !room.includes('.') ? `${root}/${room}` : root;
  const tests = testsOfRooms[name] ?? [root === 'packages' ? `${name}/test` : `test/${name.replace('core/', '')}`];
  if (!tests.every((test) => existsSync(test)))
    throw new Error(`${name} has no tests in ${tests}. Add test folders to the command.`);
  return tests;
}
