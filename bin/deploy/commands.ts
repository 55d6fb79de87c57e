/** Describes `gpu-endpoints diff`, `deploy` and `destroy`. The toolkit of the CDK is loaded when one of them runs. */
import { type Command, Option } from 'commander';
import { type SettingFlags, settingsOf, withSettings } from '../assembly/context.ts';
import { withExample } from '../example.ts';
import type { Chosen } from './deploy.ts';

const TOOLKIT = '@aws-cdk/toolkit-lib';

/** @throws Error if the toolkit, an optional peer of the package, is not installed */
async function toolkit() {
  try {
    return await import('./deploy.ts');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(TOOLKIT)) throw error;
    throw new Error(`This command needs the toolkit of the CDK: npm install --save-dev ${TOOLKIT}`, { cause: error });
  }
}

const chosen = (names: readonly string[], flags: SettingFlags): Chosen => ({ names, context: settingsOf(flags) });

function command(program: Command, name: string, description: string, example: string): Command {
  const ofStacks = program
    .command(name)
    .description(description)
    .argument('[stacks...]', 'ids of stacks, such as Endpoint-echo (default: all stacks)');
  return withExample(withSettings(ofStacks), example);
}

export function addDeployCommands(program: Command): void {
  command(
    program,
    'diff',
    'print what a deployment would change, as `npx cdk diff` does',
    'diff Endpoint-echo --env prod',
  )
    .addOption(
      new Option('--method <method>', 'how to compare; template needs only permissions to read')
        .choices(['change-set', 'template'])
        .default('change-set'),
    )
    .option('--template <file>', 'compare one stack with this template instead, without an AWS account')
    .action(async (names: string[], options: SettingFlags & { method: string; template?: string }) => {
      const { diff } = await toolkit();
      await diff(chosen(names, options), options);
    });
  command(
    program,
    'deploy',
    'deploy stacks and those that they depend on, as `npx cdk deploy` does; asks before permissions become broader',
    'deploy --env prod --outputs-file outputs.json',
  )
    .option('-y, --yes', 'ask nothing, and deploy up to 10 stacks at a time')
    .option('--outputs-file <file>', 'write the outputs of the stacks to this file, as JSON')
    .action(async (names: string[], options: SettingFlags & { yes?: boolean; outputsFile?: string }) => {
      const { deploy } = await toolkit();
      await deploy(chosen(names, options), options);
    });
  command(
    program,
    'destroy',
    'delete stacks and those that depend on them, as `npx cdk destroy` does; tables with data stay',
    'destroy Endpoint-echo --env prod',
  )
    .option('-y, --yes', 'ask nothing')
    .action(async (names: string[], options: SettingFlags & { yes?: boolean }) => {
      const { destroy } = await toolkit();
      await destroy(chosen(names, options), options);
    });
}
