/**
 * The command line `gpu-endpoints`: its commands with their options. Each command loads the modules that it needs when it
 * runs, so that the help is printed at once.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageFolder } from '../lib/settings/package-files.ts';
import { addEndpoints } from './client/endpoints.ts';
import { addJobs } from './client/jobs.ts';
import { addLogin } from './client/login.ts';
import { addLogs } from './client/logs.ts';
import { addReleases } from './client/releases.ts';
import { addRun } from './client/run.ts';
import { addTemplates } from './client/templates.ts';
import { addWebhooks } from './client/webhooks.ts';
import { addWorkers } from './client/workers.ts';
import { addDeployCommands } from './deploy/commands.ts';
import { addKeys } from './deployment/keys.ts';
import { addResume } from './deployment/resume.ts';
import { addRegistry, addSecrets } from './deployment/secrets.ts';
import { addWebhookSecret } from './deployment/webhook-secret.ts';
import type { InitOptions } from './init/init.ts';
import { addMcp } from './mcp/command.ts';
import { addUpgrade } from './upgrade/command.ts';
import { addVerify } from './verify/command.ts';

const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};

async function dev(): Promise<void> {
  const cache = join(process.cwd(), 'node_modules/.cache/gpu-endpoints');
  enableCompileCache(cache);
  const [{ runCommand }, { gpuEndpoints }] = await Promise.all([
    import('../packages/emulator/command.ts'),
    import('./start/description.ts'),
  ]);
  await runCommand(gpuEndpoints, cache);
}

type Load = () => Promise<unknown>;

/** Commands that read their own options from the arguments of the process, as the scripts of the repository do. */
const others: readonly (readonly [name: string, description: string, load: Load])[] = [
  ['dev', 'run the stacks of the app on this machine, without an AWS account or Docker', dev],
  ['worker', 'run a command as a worker of an endpoint of `dev`', () => import('./start/attach.ts')],
  ['validate', 'check the declarations and the stacks that they make', () => import('./validate.ts')],
  ['doctor', 'check what a deployment needs: tools, credentials, quotas, roles', () => import('./doctor.ts')],
  ['cost', 'print what the stacks and an hour of a worker cost', () => import('./cost.ts')],
  ['stacks', 'compare the deployed stacks with those that the app declares', () => import('./stacks.ts')],
  ['promote', 'give an environment the image of another one', () => import('./promote.ts')],
  ['remove', 'remove an endpoint or a deployment in the right order', () => import('./remove.ts')],
];

function addOther(program: Command, [name, description, load]: (typeof others)[number]): void {
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
}

function addInit(program: Command): void {
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
}

/** Returns the whole command line. */
export function createProgram(): Command {
  const program = new Command('gpu-endpoints')
    .description('Serverless GPU endpoints in your own AWS account.')
    .version(version)
    .showHelpAfterError('(gpu-endpoints --help lists the commands)');
  program.commandsGroup('Jobs and endpoints:');
  addLogin(program);
  addRun(program);
  addJobs(program);
  addLogs(program);
  addResume(addEndpoints(program));
  addWorkers(program);
  addReleases(program);
  addTemplates(program);
  addWebhookSecret(addWebhooks(program));
  addMcp(program, version);
  program.commandsGroup('The repository and its deployment:');
  addInit(program);
  for (const other of others) addOther(program, other);
  addDeployCommands(program);
  addVerify(program);
  addUpgrade(program);
  addKeys(program);
  addSecrets(program);
  addRegistry(program);
  return program;
}
