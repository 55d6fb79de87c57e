/** `npm run secrets`: manages secret values of environment variables, for a deployment or for `npm start`. */
import { readSecret } from './typed-secret.ts';
import { runVaultCommand } from './vault-command.ts';

await runVaultCommand(
  {
    kind: 'env',
    script: 'secrets',
    noun: 'the value of an environment variable',
    reference: (name) => `{{secrets:${name}}}, the whole value of a variable in "env"`,
    own: { usage: '', help: '', names: [], example: '  npm run secrets -- create --name HF_TOKEN < token.txt\n' },
    reads: 'The value is read from stdin; at a terminal, the command prompts for it.',
    readValue: () => readSecret('Value (not shown): '),
  },
  process.argv.slice(2),
);
