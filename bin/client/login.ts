/** `gpu-endpoints login`, `logout`, `profiles` and `open`: which deployments the other commands call, and with which key. */
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Session } from '../../core/authorizer/caller.ts';
import { DEV, LOCAL } from '../environment-name.ts';
import { withExample } from '../example.ts';
import { localOutputs, OUTPUTS, readOutputs } from '../outputs-file.ts';
import { readSecret } from '../typed-secret.ts';
import { call } from './call.ts';
import { checkedKey } from './key-form.ts';
import { type CommonOptions, serviceOf, withProfile } from './options.ts';
import { endpointsText, operationsText } from './permissions.ts';
import { printJson, printTable } from './print.ts';
import { profilesFile, readProfiles, writeProfiles } from './profiles.ts';
import { addressFrom, DEFAULT_PROFILE, variables } from './service.ts';

interface LoginOptions {
  readonly env: string;
  readonly url?: string;
  readonly outputs: string;
  readonly json?: boolean;
}

/** Returns the address in the file that a deployment has written, if there is one. */
function urlIn(outputs: string): string | undefined {
  const stacks = readOutputs<{ readonly JobApiUrl?: string }>(outputs) ?? {};
  const urls = Object.values(stacks)
    .map(({ JobApiUrl }) => JobApiUrl)
    .filter((url) => url !== undefined);
  if (urls.length > 1) throw new Error(`${outputs} has the addresses ${urls.join(', ')}: choose one with --url.`);
  return urls[0];
}

/** Returns the key of the variable, of the standard input, or of the user at a terminal. */
async function readKey(): Promise<string> {
  const key = process.env[variables.key];
  if (key) return checkedKey(variables.key, key);
  const source = process.stdin.isTTY ? 'The typed API key' : 'The standard input';
  return checkedKey(source, (await readSecret('API key: ')).trim());
}

async function login({ env, url, outputs, json }: LoginOptions): Promise<void> {
  if (env === LOCAL) throw new Error(`\`local\` is the service of \`${DEV}\`, which needs no login.`);
  const address = url ?? urlIn(outputs);
  if (address === undefined)
    throw new Error(
      `--url is missing, and there is no file ${outputs} with the address: npx gpu-endpoints deploy --outputs-file ${outputs} writes it.`,
    );
  const profile = { url: addressFrom(url === undefined ? outputs : '--url', address), key: await readKey() };
  const session = await call<Session>({ name: env, ...profile }, 'management', 'GET', '/session');
  writeProfiles({ ...readProfiles(), [env]: profile });
  const { user, endpoints, operations } = session;
  if (json) return printJson({ profile: env, url: profile.url, user, endpoints, operations });
  console.log(
    `The profile ${env} calls ${profile.url} with the key ${user}, which may call ${operationsText(session)} of ${endpointsText(session)}.`,
  );
}

function logout({ env }: { readonly env: string }): void {
  const { [env]: profile, ...others } = readProfiles();
  if (!profile) throw new Error(`There is no profile ${JSON.stringify(env)} in ${profilesFile()}.`);
  writeProfiles(others);
  console.log(
    `The profile ${env} and its key are removed from this machine. To revoke the key: npx gpu-endpoints keys revoke ID`,
  );
}

function profiles({ json }: { readonly json?: boolean }): void {
  const shown = Object.entries(readProfiles()).map(([name, { url }]) => ({ name, url }));
  if (json) {
    printJson({ profiles: shown });
    return;
  }
  printTable<(typeof shown)[number]>(
    [
      { head: 'PROFILE', text: ({ name }) => name },
      { head: 'ADDRESS', text: ({ url }) => url },
    ],
    shown,
    'There are no profiles: npx gpu-endpoints login --url URL',
  );
}

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** Returns the address of the console. That of `dev` also signs the user in. */
function consoleOf(options: CommonOptions): string {
  const { name, url } = serviceOf(options);
  if (name !== LOCAL) return `${url}/console/`;
  const stacks = readOutputs<{ readonly ConsoleUrl?: string }>(localOutputs()) ?? {};
  return Object.values(stacks).find(({ ConsoleUrl }) => ConsoleUrl)?.ConsoleUrl ?? `${url}/console/`;
}

function open(options: CommonOptions): void {
  const url = consoleOf(options);
  if (options.json) {
    printJson({ url });
    return;
  }
  console.log(url);
  const opener = spawn(openers[process.platform] ?? 'xdg-open', [url], { detached: true, stdio: 'ignore' });
  // Without a browser, the user has the address.
  opener.on('error', () => undefined).unref();
}

export function addLogin(program: Command): void {
  const env = (command: Command) => command.option('--env <name>', 'name of the profile', DEFAULT_PROFILE);
  const json = (command: Command) => command.option('--json', 'print only JSON');
  withExample(
    env(
      json(
        program
          .command('login')
          .description('store the address and the key of a deployment, for the commands that call it')
          .option('--url <url>', 'address of the deployment (default: JobApiUrl of the outputs file)')
          .option('--outputs <file>', 'the file that `deploy --outputs-file` wrote', OUTPUTS),
      ),
    ),
    'login --env prod --url https://gpu.example.com < key.txt',
    `The key is read from the terminal, the standard input or the variable ${variables.key}. It is stored in
${profilesFile()}, which only you can read. Without a profile, commands call the deployment of the
variables ${variables.url} and ${variables.key}.`,
  ).action(login);
  const logoutCommand = program.command('logout').description('remove a profile and its key from this machine');
  withExample(env(logoutCommand), 'logout --env prod').action(logout);
  const profilesCommand = program.command('profiles').description('list the profiles without their keys');
  withExample(json(profilesCommand), 'profiles').action(profiles);
  const openCommand = program.command('open').description('open the console in a browser, and print its address');
  withExample(json(withProfile(openCommand)), 'open --env prod').action(open);
}
