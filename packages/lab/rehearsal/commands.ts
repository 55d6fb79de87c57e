/**
 * Runs the commands of docs/guides/deploy.md and docs/guides/remove.md as a user does, in a copy of this repository and
 * against the emulator.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, interruptedAt, type Running, runs, succeeds } from '../../../test/support/running.ts';
import { withoutAws } from '../../../test/support/without-aws.ts';
import { makeRehearsable, type Rehearsable } from './assembly.ts';
import { type Emulator, REGION } from './emulator.ts';

/** The emulator's only account. */
const ACCOUNT = '000000000000';

type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

export class Commands {
  readonly #repository: string;
  readonly #folder: string;
  readonly #signal: AbortSignal;
  /** Environment of clients and commands: the emulator's settings, without the user's AWS settings. */
  readonly env: NodeJS.ProcessEnv;

  /**
   * Creates the commands.
   * @param repository folder in which the commands run
   * @param folder existing folder for assemblies and outputs
   * @param signal stops a running command
   */
  constructor(repository: string, folder: string, { url }: Emulator, signal: AbortSignal) {
    this.#repository = repository;
    this.#folder = folder;
    this.#signal = signal;
    const home = join(folder, 'home');
    mkdirSync(home);
    this.env = {
      ...withoutAws(process.env),
      AWS_ENDPOINT_URL: url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'rehearsal',
      AWS_SECRET_ACCESS_KEY: 'rehearsal',
      AWS_EC2_METADATA_DISABLED: 'true',
      // The commands must not use the user's profiles, or the accounts that the CDK caches by access key.
      AWS_CONFIG_FILE: join(home, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
      CDK_HOME: home,
      CI: 'true',
    };
  }

  get #running(): Running {
    return { cwd: this.#repository, env: this.env, signal: this.#signal };
  }

  get #outputsFile(): string {
    return join(this.#folder, 'outputs.json');
  }

  #cdk(...args: readonly string[]): Promise<string> {
    const cdk = join(this.#repository, 'node_modules', 'aws-cdk', 'bin', 'cdk');
    return succeeds(process.execPath, [cdk, ...args], this.#running);
  }

  #node(...args: readonly string[]): Promise<Ended> {
    return runs(process.execPath, args, this.#running);
  }

  /** Runs `cdk bootstrap`. */
  async bootstrap(): Promise<void> {
    await this.#cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`);
  }

  /**
   * Runs `cdk synth` and reduces the assembly to what the emulator accepts.
   * @param name name of the assembly's folder
   */
  async synthesize(name: string): Promise<Rehearsable & { readonly folder: string }> {
    const folder = join(this.#folder, name);
    await this.#cdk('synth', '--quiet', '--output', folder);
    return { ...makeRehearsable(folder), folder };
  }

  /**
   * Runs `cdk deploy --all`, without change sets. With them, the emulator loses the stack descriptions that
   * `stacks` reads.
   */
  async deploy(assembly: string): Promise<void> {
    const direct = ['--method', 'direct', '--require-approval', 'never', '--outputs-file', this.#outputsFile];
    await this.#cdk('deploy', '--all', '--app', assembly, ...direct);
  }

  /** Runs `npx gpu-endpoints remove`. */
  remove(...args: readonly string[]): Promise<Ended> {
    return this.#node('bin/cli.ts', 'remove', ...args);
  }

  /** Runs `npx gpu-endpoints remove`, and interrupts it as soon as it prints the text. */
  interruptRemove(text: string, ...args: readonly string[]): Promise<Ended> {
    return interruptedAt(text, process.execPath, ['bin/cli.ts', 'remove', ...args], this.#running);
  }

  /**
   * Returns an output of any stack, such as `JobApiUrl`.
   * @throws Error if no stack has the output
   */
  output(name: string): string {
    const outputs = existsSync(this.#outputsFile)
      ? (JSON.parse(readFileSync(this.#outputsFile, 'utf8')) as Outputs)
      : {};
    const value = Object.values(outputs).find((stack) => stack[name] !== undefined)?.[name];
    if (value === undefined) throw new Error(`No deployed stack has the output ${name}.`);
    return value;
  }

  /**
   * Runs `gpu-endpoints keys create`.
   * @returns the secret of the key
   */
  async createKey(name: string): Promise<string> {
    const { code, stdout, stderr } = await this.#node(
      ...['bin/cli.ts', 'keys', 'create', '--name', name, '--outputs', this.#outputsFile, '--json'],
    );
    if (code !== 0) throw new Error(`gpu-endpoints keys exited with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { secret: string }).secret;
  }

  /**
   * Runs `npx gpu-endpoints stacks`.
   * @returns the names of the stacks that are deployed but not declared
   */
  async undeclaredStacks(): Promise<string[]> {
    const { stdout, stderr } = await this.#node('bin/cli.ts', 'stacks', '--json');
    if (stdout === '') throw new Error(`npx gpu-endpoints stacks failed: ${stderr}`);
    const { stacks } = JSON.parse(stdout) as { stacks: readonly { readonly name: string; readonly state: string }[] };
    return stacks.filter(({ state }) => state === 'not declared').map(({ name }) => name);
  }
}
