/**
 * The command line `gpu-endpoints`: its commands with their options. Each command loads the modules that it needs when it
 * runs, so that the help is printed at once.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageFolder } from '../lib/settings/package-files.ts';
import { appProgram } from './assembly/app-folder.ts';
import { addAlarms } from './client/alarms.ts';
import { addEndpoints } from './client/endpoints.ts';
import { addJobs } from './client/jobs.ts';
import { addLogin } from './client/login.ts';
import { addLogs } from './client/logs.ts';
import { addReleases } from './client/releases.ts';
import { addRun } from './client/run.ts';
import { addTemplates } from './client/templates.ts';
import { addActualCost } from './client/usage.ts';
import { addWebhooks } from './client/webhooks.ts';
import { addWorkers } from './client/workers.ts';
import { addDeployCommands } from './deploy/commands.ts';
import { addKeys } from './deployment/keys.ts';
import { addResume } from './deployment/resume.ts';
import { addRegistry, addSecrets } from './deployment/secrets.ts';
import { addWebhookSecret } from './deployment/webhook-secret.ts';
import { DiscreetCommand } from './discreet-command.ts';
import { withExample } from './example.ts';
import type { InitOptions } from './init/init.ts';
import { addMcp } from './mcp/command.ts';
import { addDoctor, addStacks, addValidate } from './repository/checks.ts';
import { addCost, addSaturation } from './repository/costs.ts';
import { addPromote, addRemove } from './repository/removal.ts';
import { addWorker } from './repository/worker.ts';
import { askAtTerminal } from './terminal.ts';
import { addUpgrade } from './upgrade/command.ts';
import { addVerify } from './verify/command.ts';

const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const EXIT_CODES = `Exit codes:
  0    done; with --wait or --stream, the job is COMPLETED
  1    an error, such as a wrong option, a call that is refused, or a problem that was found
  2    nothing was done: the question was not answered with yes, or verify could not start
  3    the job that the command waited for has failed, was cancelled or has expired
  130  Ctrl-C`;

async function dev(): Promise<void> {
  const [, , ...args] = process.argv;
  // A folder without an app has an error before anything loads. The help prints in any folder.
  if (!args.some((arg) => arg === '--help' || arg === '-h')) appProgram();
  const cache = join(process.cwd(), 'node_modules/.cache/gpu-endpoints');
  enableCompileCache(cache);
  const [{ runCommand }, { gpuEndpoints }] = await Promise.all([
    import('../packages/emulator/command.ts'),
    import('./start/description.ts'),
  ]);
  await runCommand(gpuEndpoints, cache);
}

/** Adds `dev`, which reads its own options from the arguments of the process, as the emulator of any app does. */
function addDev(program: Command): void {
  program
    .command('dev')
    .description('run the stacks of the app on this machine, without an AWS account or Docker')
    .allowUnknownOption()
    .helpOption(false)
    .argument('[options...]', 'options, which dev --help lists')
    .action(async () => {
      process.argv.splice(2, 1);
      await dev();
    });
}

function addInit(program: Command): void {
  const command = program
    .command('init')
    .description('write the repository of a team: an app, endpoints, a pool, workflows and an example worker')
    .argument('[folder]', 'folder to write into', '.')
    .option('--force', 'overwrite files without asking');
  withExample(command, 'init').action(async (folder: string, options: InitOptions) => {
    const { init } = await import('./init/init.ts');
    await init(folder, options, askAtTerminal());
  });
}

/** Returns the whole command line. */
export function createProgram(): Command {
  const program = new DiscreetCommand('gpu-endpoints')
    .description('Serverless GPU endpoints in your own AWS account.')
    .version(version)
    .showHelpAfterError('(npx gpu-endpoints --help lists the commands)');
  program.commandsGroup('Jobs and endpoints:');
  addLogin(program);
  addRun(program);
  addJobs(program);
  addLogs(program);
  addResume(addEndpoints(program));
  addWorkers(program);
  addAlarms(program);
  addReleases(program);
  addTemplates(program);
  addWebhookSecret(addWebhooks(program));
  addMcp(program, version);
  program.commandsGroup('The repository and its deployment:');
  addInit(program);
  addDev(program);
  addWorker(program);
  addValidate(program);
  addDoctor(program);
  addDeployCommands(program);
  addVerify(program);
  addStacks(program);
  addPromote(program);
  addRemove(program);
  addActualCost(addCost(program));
  addSaturation(program);
  addUpgrade(program);
  addKeys(program);
  addSecrets(program);
  addRegistry(program);
  return withExample(program, `run echo --input '{"text": "hello"}' --wait`, EXIT_CODES);
}
