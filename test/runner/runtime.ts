/**
 * Runs test files as plain modules of Node.js, instead of in Jest's VM contexts, which load every package again
 * for every file (ADR 0011). Jest's own test framework runs the files, so timeouts, hooks, patterns and reports
 * work as usual.
 */
import { createRequire } from 'node:module';
import type { JestEnvironment } from '@jest/environment';
import type { jest } from '@jest/globals';
import JestRuntime from 'jest-runtime';
import { importFresh, resetModules } from './fresh-modules.ts';
import { provideGlobals } from './jest-globals.ts';

const require = createRequire(import.meta.url);
/**
 * Jest's types describe its CommonJS build. Node.js imports the other build, whose default export is the class
 * itself.
 */
const Runtime = JestRuntime as unknown as typeof JestRuntime.default;
type Runtime = InstanceType<typeof Runtime>;

/** Path of the module in which Jest's framework stores the state of a test file, as the framework imports it. */
const FRAMEWORK = 'jestAdapterInit';
/** The framework's store for the state of one test file. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

type Arguments = ConstructorParameters<typeof Runtime>;

/** The part of the `jest` object that the project's tests use. */
type JestObject = Pick<
  typeof jest,
  | 'advanceTimersByTimeAsync'
  | 'fn'
  | 'getTimerCount'
  | 'resetModules'
  | 'restoreAllMocks'
  | 'setTimeout'
  | 'spyOn'
  | 'useFakeTimers'
  | 'useRealTimers'
>;

function jestObject({ moduleMocker, fakeTimersModern }: JestEnvironment): JestObject {
  if (!moduleMocker || !fakeTimersModern) throw new Error('The test environment has no mocks or no timers.');
  const timers = fakeTimersModern;
  const object = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    advanceTimersByTimeAsync: (milliseconds: number) => timers.advanceTimersByTimeAsync(milliseconds),
    getTimerCount: () => timers.getTimerCount(),
    restoreAllMocks: () => chained(() => moduleMocker.restoreAllMocks()),
    resetModules: () => chained(resetModules),
    setTimeout: (milliseconds: number) => chained(() => Reflect.set(globalThis, TIMEOUT, milliseconds)),
    useFakeTimers: (config?: Parameters<typeof timers.useFakeTimers>[0]) => chained(() => timers.useFakeTimers(config)),
    useRealTimers: () => chained(() => timers.useRealTimers()),
  } as JestObject;
  const chained = (act: () => unknown) => {
    act();
    return object;
  };
  return object;
}

export default class NodeRuntime extends Runtime {
  readonly #environment: JestEnvironment;

  constructor(...given: Arguments) {
    super(...given);
    [, this.#environment] = given;
  }

  /** Loads Jest's framework only once per process, except the module with the state of a test file. */
  override requireInternalModule<Module = unknown>(from: string): Module {
    if (from.includes(FRAMEWORK)) {
      delete require.cache[from];
      for (const state of [HANDLERS, TIMEOUT]) Reflect.deleteProperty(globalThis, state);
    }
    return require(from) as Module;
  }

  override setGlobalsForRuntime(globals: Parameters<Runtime['setGlobalsForRuntime']>[0]): void {
    provideGlobals({ ...globals, jest: jestObject(this.#environment) } as unknown as Parameters<
      typeof provideGlobals
    >[0]);
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override unstable_importModule(path: string): Promise<unknown> {
    return importFresh(path);
  }
}
