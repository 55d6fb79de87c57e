#!/usr/bin/env node
/**
 * `npx gpu-endpoints`: the command of a team that has installed the package. Each command loads only its own modules, so
 * that the help is printed at once.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageFolder } from '../lib/settings/package-files.ts';
import { addDeployCommands } from './deploy/commands.ts';
import type { InitOptions } from './init/init.ts';

const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const program = new Command('gpu-endpoints')
  .description('Serverless GPU endpoints in your own AWS account.')
  .version(version)
  .showHelpAfterError('(gpu-endpoints --help lists the commands)');

program
  .command('init')
  .description('write the repository of a team: an app, endpoints, a pool, workflows and an example worker')
  .argument('[folder]', 'folder to write into', '.')
  .option('--force', 'overwrite files without asking')
  .addHelpText('after', '\nExample:\n  npx gpu-endpoints init')
  .action(async (folder: string, options: InitOptions) => {
    const { init } = await import('./init/init.ts');
    await init(folder, options);
  });

async function dev(): Promise<void> {
  const cache = join(process.cwd(), 'node_modules/.cache/gpu-endpoints');
  enableCompileCache(cache);
  const [{ runCommand }, { gpuEndpoints }] = await Promise.all([
    import('../packages/emulator/command.ts'),
    import('./start/description.ts'),
  ]);
  await runCommand(gpuEndpoints, cache);
}

/** Commands that read their own options from the arguments of the process, as the scripts of the repository do. */
const others = [
  ['dev', 'run the stacks of the app on this machine, without an AWS account or Docker', dev],
  ['worker', 'run a command as a worker of an endpoint of `dev`', () => import('./start/attach.ts')],
  ['validate', 'check the declarations and the stacks that they make', () => import('./validate.ts')],
  ['doctor', 'check what a deployment needs: tools, credentials, quotas, roles', () => import('./doctor.ts')],
  ['cost', 'print what the stacks and an hour of a worker cost', () => import('./cost.ts')],
  ['keys', 'create, list and revoke the keys of clients', () => import('./keys.ts')],
  ['secrets', 'create, rotate and delete secrets of workers', () => import('./secrets.ts')],
  ['registry-auth', 'create, rotate and delete logins of image registries', () => import('./registry-auth.ts')],
  ['webhooks', 'list and repeat deliveries of webhooks', () => import('./webhooks.ts')],
  ['resume', 'start workers again after failures', () => import('./resume.ts')],
  ['stacks', 'compare the deployed stacks with those that the app declares', () => import('./stacks.ts')],
  ['promote', 'give an environment the image of another one', () => import('./promote.ts')],
  ['remove', 'remove an endpoint or a deployment in the right order', () => import('./remove.ts')],
] as const;

for (const [name, description, load] of others)
  program
    .command(name)
    .description(description)
    .allowUnknownOption()
    .helpOption(false)
    .argument('[options...]', `options, which ${name} --help lists`)
    .action(async () => {
      process.argv.splice(2, 1);
      await load();
    });

addDeployCommands(program);

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
