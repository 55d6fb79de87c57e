/**
 * `npm run registry-auth`: manages the logins that ECS uses to pull private images, for a deployment or for `npm
 * start`.
 */
import { loginAsValue } from '../core/templates/keep-secret.ts';
import { UsageError } from './key-arguments.ts';
import { readSecret } from './typed-secret.ts';
import { runVaultCommand } from './vault-command.ts';

await runVaultCommand(
  {
    kind: 'registryAuth',
    script: 'registry-auth',
    noun: 'the login of a container registry',
    reference: (name) => `"containerRegistryAuthId": ${JSON.stringify(name)}`,
    own: {
      usage: ' --username USER',
      help: '  --username USER    user name at the registry\n',
      names: ['username'],
      example: '  npm run registry-auth -- create --name hub --username ada < password.txt\n',
    },
    reads: 'The password or access token is read from stdin; at a terminal, the command prompts for it.',
    async readValue({ username }) {
      if (!username) throw new UsageError('--username is missing: set it to the user name at the registry.');
      const password = await readSecret(`Password of ${username} (not shown): `);
      if (password === '') throw new UsageError('The password is empty.');
      return loginAsValue({ username, password });
    },
  },
  process.argv.slice(2),
);
