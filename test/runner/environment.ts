/**
 * The environment of a test file: Node.js itself, not a VM context. Changes that the file makes to the process
 * are reverted after the file, so that the next file of the same process starts with the same state. Its
 * temporary files are removed if it ran to the end and no test has failed.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { BufferedConsole } from '@jest/console';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { keepConsole, keepRunFolder, watchFailures } from './failures.ts';
import { ignoreLateWarnings } from './late-warnings.ts';
import { folderOfFile } from './run-folder.ts';
import { setCurrentFile } from './seed.ts';
import { createTimeline, phaseFrom } from './timeline.ts';

export default class NodeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  /** Legacy fake timers are not supported. */
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #before = {
    env: process.env,
    variables: { ...process.env },
    exit: process.exit,
    console: globalThis.console,
  };
  readonly #console: Console;

  readonly #failures = watchFailures();
  readonly #folder: string;
  readonly #begin: ReturnType<typeof createTimeline>;

  constructor({ projectConfig }: JestEnvironmentConfig, { testPath, console }: EnvironmentContext) {
    this.#console = console;
    const file = relative('.', testPath);
    this.#folder = folderOfFile(file);
    mkdirSync(this.#folder, { recursive: true });
    process.env.TMPDIR = this.#folder;
    setCurrentFile(file);
    this.#begin = createTimeline(file);
    this.#begin('loading');
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): void {
    this.#failures.handle(event);
    const phase = phaseFrom(event);
    if (phase) this.#begin(phase);
  }

  async teardown(): Promise<void> {
    const { env, variables, exit, console } = this.#before;
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    process.exit = exit;
    globalThis.console = console;
    // A file may have replaced `process.env` with a copy. Changes of a copy do not affect the process.
    process.env = env;
    for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
    Object.assign(env, variables);
    ignoreLateWarnings(this.#console);
    if (this.#failures.none) rmSync(this.#folder, { recursive: true, force: true });
    else this.#keep();
    this.#begin('waiting');
  }

  /** Jest has the console output of a file for the report only if the file could be loaded. */
  #keep(): void {
    keepRunFolder();
    if (this.#console instanceof BufferedConsole) keepConsole(this.#folder, this.#console.getBuffer() ?? []);
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }
}
