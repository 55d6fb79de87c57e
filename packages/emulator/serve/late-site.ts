/**
 * A web page in a bucket that is built when it is requested, and again after its sources have changed. The start
 * therefore does not wait for the build, and reloading the page shows the current sources.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CustomResource, CustomResources } from '../cloudformation/custom-resources.ts';
import type { Functions } from '../functions/functions.ts';

/** Folder of the site's files, beside the code of the function that uploads them. */
const FILES = 'files';

const run = promisify(execFile);

/** The build settings of a site. Paths are relative to its folder. */
export interface SiteBuild {
  /** Name of the site in links and errors. */
  readonly name: string;
  /** Absolute path of the folder in which the build runs. */
  readonly folder: string;
  /** Path of the site in the distribution. */
  readonly path: string;
  readonly program: string;
  /** Pattern of the site's sources. */
  readonly sources: string;
  /** Folder that the build program writes. */
  readonly built: string;
  /** Type of the resource that uploads the files. */
  readonly resourceType: string;
}

/** A site that is built and uploaded when it is requested. */
export interface LateSite {
  /**
   * Resolves when the files of the site are in its bucket.
   * @throws Error with the output of a failed build
   */
  ready(): Promise<void>;
}

/** Returns whether the resource is declared before its files exist. */
export const isLate = (
  { type, properties }: Pick<CustomResource, 'type' | 'properties'>,
  { resourceType }: SiteBuild,
): boolean => type === resourceType && (properties as { sources?: unknown }).sources === 'later';

/**
 * Returns a fingerprint of the sources: the time of the last change, in milliseconds since the epoch, and their
 * number.
 */
function sourcesNow({ folder, sources }: SiteBuild): string {
  const files = globSync(sources, { cwd: folder });
  const times = files.map((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return `${Math.max(0, ...times)} ${files.length}`;
}

async function build({ name, folder, program }: SiteBuild): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [program], { cwd: folder });
    return stdout.trim();
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`The ${name} could not be built.\n${stderr ?? String(error)}`, { cause: error });
  }
}

/**
 * Creates the site.
 * @param declared resource that uploads the files
 */
export function createLateSite(
  declared: CustomResource,
  site: SiteBuild,
  { functions, customResources }: { readonly functions: Functions; readonly customResources: CustomResources },
): LateSite {
  let published: { readonly of: string; readonly done: Promise<void> } | undefined;

  async function publish(): Promise<void> {
    const sources = await build(site);
    const folder = join(functions.folderOf(declared.serviceToken), FILES);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(site.folder, site.built), folder, { recursive: true });
    await customResources.apply({ ...declared, properties: { ...(declared.properties as object), sources } });
  }

  return {
    ready() {
      const now = sourcesNow(site);
      if (published?.of === now) return published.done;
      const done = publish();
      published = { of: now, done };
      // After a failure, the next request builds the site again.
      done.catch(() => {
        if (published?.done === done) published = undefined;
      });
      return done;
    },
  };
}
