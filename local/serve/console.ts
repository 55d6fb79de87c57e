/**
 * The console on this machine: it is built when a page of it is opened, and again after its sources have changed. So the
 * start does not wait for it, and a page shows what is in the editor after it is loaded again.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CustomResource, CustomResources } from '../cloudformation/custom-resources.ts';
import type { Functions } from '../functions/functions.ts';

const repository = join(import.meta.dirname, '..', '..');
const PROGRAM = 'console/build/main.ts';
const BUILT = 'dist/console-files';
/** Beside the code of the function that uploads them. */
const FILES = 'files';

const run = promisify(execFile);

/** A console whose files are put into its bucket when they are asked for. */
export interface LateConsole {
  /**
   * Resolves when the files of the console are in its bucket.
   * @throws Error with what the build has printed, if it failed
   */
  ready(): Promise<void>;
}

/** Of a resource that is declared before its files are there. */
export const isLate = ({ type, properties }: Pick<CustomResource, 'type' | 'properties'>): boolean =>
  type === 'Custom::ConsoleFiles' && (properties as { sources?: unknown }).sources === 'later';

/** When a source last changed, in milliseconds since the epoch, and how many sources there are. */
function sourcesNow(): string {
  const files = globSync('console/**/*', { cwd: repository });
  const times = files.map((file) => statSync(join(repository, file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return `${Math.max(0, ...times)} ${files.length}`;
}

async function build(): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [PROGRAM], { cwd: repository });
    return stdout.trim();
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`The console could not be built.\n${stderr ?? String(error)}`);
  }
}

/** @param declared resource that uploads the files */
export function createLateConsole(
  declared: CustomResource,
  { functions, customResources }: { readonly functions: Functions; readonly customResources: CustomResources },
): LateConsole {
  let published: { readonly of: string; readonly done: Promise<void> } | undefined;

  async function publish(): Promise<void> {
    const sources = await build();
    const folder = join(functions.folderOf(declared.serviceToken), FILES);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(repository, BUILT), folder, { recursive: true });
    await customResources.apply({ ...declared, properties: { ...(declared.properties as object), sources } });
  }

  return {
    ready() {
      const now = sourcesNow();
      if (published?.of === now) return published.done;
      const done = publish();
      published = { of: now, done };
      // The next request tries again.
      done.catch(() => {
        if (published?.done === done) published = undefined;
      });
      return done;
    },
  };
}
