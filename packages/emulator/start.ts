/**
 * The first steps of a start: the emulators start and the stacks are synthesized while the modules of the components
 * are loaded.
 */
import type * as components from './components.ts';
import { imageFiles } from './ecs/image-files.ts';
import { type Emulators, startEmulators } from './emulators/emulators.ts';
import { openAddress } from './network/address.ts';
import type { Options } from './options.ts';
import type { Product } from './product.ts';
import type { Progress } from './progress.ts';
import type { Ready } from './serve/ready.ts';
import type { Shutdown } from './shutdown.ts';
import { endMarkedProcesses, type RunningProcess, runMark } from './state/processes.ts';
import { lockStateDirectory, OUTPUTS, orphanEnded, type StateDirectory } from './state/state-directory.ts';
import { synthesize } from './synthesis/synthesize.ts';

async function assemblyFolder(
  { app }: Product,
  { assembly, context }: Options,
  state: StateDirectory,
  variables: components.ProgramVariables,
  progress: Progress,
): Promise<string> {
  if (assembly !== undefined) return assembly;
  progress.step('Synthesizing the stacks ...');
  if (context?.environment) progress.notify('The account and Region of the environment are not used on this machine.');
  const { folder, made } = await synthesize(app, state, variables, context);
  if (!made) progress.notify('The stacks have not changed since the last run.');
  return folder;
}

/**
 * Loads the components.
 * @throws LocalError for an invalid file of images, so that the start fails fast
 */
async function loadComponents(product: Product, options: Options): Promise<typeof components> {
  const { readImages } = await import('./ecs/images.ts');
  readImages(imageFiles(product, options));
  return import('./components.ts');
}

/**
 * Starts the service. Resolves when the service answers requests and its outputs are written.
 * @throws LocalError if the service cannot start
 */
export async function start(
  product: Product,
  options: Options & { readonly programCache: string; readonly parent?: RunningProcess | undefined },
  progress: Progress,
  shutdown: Shutdown,
): Promise<Ready> {
  const { port, stateDir } = options;

  // The first steps fail fast, or would be disturbed by another run.
  await orphanEnded(stateDir);
  const state = lockStateDirectory(stateDir, options.parent);
  shutdown.add(() => state.release());
  state.remove(OUTPUTS);
  const published = await openAddress(port);
  const leftovers = await endMarkedProcesses(state.path);
  if (leftovers > 0) progress.notify(`Stopped ${leftovers} processes that an earlier run left behind.`);
  shutdown.add(() => endMarkedProcesses(state.path));
  state.rotateLogs();

  const programCache = options.compileCache ?? options.programCache;
  const variables = { ...runMark(state.path, process.pid), NODE_COMPILE_CACHE: programCache };
  const starting: Promise<Emulators> = startEmulators(state.path, programCache);
  starting.then(
    (emulators) => shutdown.add(() => emulators.stop()),
    () => undefined,
  );
  const [assembly, emulators, { startComponents }] = await Promise.all([
    assemblyFolder(product, options, state, variables, progress),
    starting,
    loadComponents(product, options),
  ]);
  return startComponents({
    product,
    options,
    state,
    published,
    emulators,
    assembly,
    variables,
    progress,
    shutdown,
  });
}
