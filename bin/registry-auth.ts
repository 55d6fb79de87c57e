/** `npm run registry-auth`: the credentials by which ECS pulls private images, of a deployment or of the local one. */
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
      help: '  --username USER    who the registry knows the password of\n',
      names: ['username'],
    },
    reads: 'The password or access token is read from stdin, or asked for at a terminal.',
    async readValue({ username }) {
      if (!username) throw new UsageError('--username is missing: say whose password it is.');
      const password = await readSecret(`Password of ${username}, which is not shown: `);
      if (password === '') throw new UsageError('The password is empty.');
      return loginAsValue({ username, password });
    },
  },
  process.argv.slice(2),
);
