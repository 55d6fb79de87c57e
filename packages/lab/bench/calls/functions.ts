/** Reads the functions of the synthesized stacks: the size of their bundles, and their memory. */
import type { App } from '../../../../bin/assembly/app.ts';
import { bundlesIn } from '../../../../test/support/function-bundles.ts';

export interface FunctionSize {
  /** Logical id without its hash, such as `JobsRun`. */
  readonly name: string;
  readonly gzipBytes: number;
  /** Memory in MB. */
  readonly memory: number;
}

/** @param assembly folder of the stacks */
export function functionSizes(app: App, assembly: string): FunctionSize[] {
  const sizes = bundlesIn(app, assembly).map(({ name, gzipBytes, resource }) => {
    return { name, gzipBytes, memory: Number(resource.properties.MemorySize) };
  });
  return sizes.sort((a, b) => b.gzipBytes - a.gzipBytes || a.name.localeCompare(b.name));
}
