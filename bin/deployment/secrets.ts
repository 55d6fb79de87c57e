/**
 * `gpu-endpoints secrets` and `gpu-endpoints registry`: values of environment variables, and logins with which ECS pulls
 * private images.
 */
import type { Command } from 'commander';
import { loginAsValue } from '../../core/templates/keep-secret.ts';
import { readSecret } from '../typed-secret.ts';
import { UsageError } from '../usage-error.ts';
import type { DeploymentFlags } from './options.ts';
import { addVaultCommand } from './vault-command.ts';

export function addSecrets(program: Command): void {
  addVaultCommand(program, {
    kind: 'env',
    name: 'secrets',
    noun: 'the value of an environment variable',
    example: 'HF_TOKEN',
    reference: (name) => `{{secrets:${name}}}, the whole value of a variable in "env"`,
    value: 'The value',
    list: 'secrets',
    readValue: () => readSecret('Value (not shown): '),
  });
}

interface LoginFlags extends DeploymentFlags {
  readonly username: string;
}

export function addRegistry(program: Command): void {
  addVaultCommand<LoginFlags>(program, {
    kind: 'registryAuth',
    name: 'registry',
    noun: 'the login of a container registry',
    example: 'hub',
    reference: (name) => `"containerRegistryAuthId": ${JSON.stringify(name)}`,
    own: {
      add: (command) => command.requiredOption('--username <user>', 'user name at the registry'),
      example: ' --username ada',
    },
    value: 'The password or access token',
    list: 'logins',
    async readValue({ username }) {
      const password = await readSecret(`Password of ${username} (not shown): `);
      if (password === '') throw new UsageError('The password is empty.');
      return loginAsValue({ username, password });
    },
  });
}
