/** Reads the functions of the synthesized stacks: the size of their bundles, and their memory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { App } from '../../../bin/synthesized/app.ts';

export interface FunctionSize {
  /** Logical id without its hash, such as `JobsRun`. */
  readonly name: string;
  readonly gzipBytes: number;
  /** Memory in MB. */
  readonly memory: number;
}

/** Maximum size of one compressed function, in bytes. */
export const BUNDLE_BOUND = 150 * 1_024;

/** Number of characters of the hash at the end of CloudFormation's logical ids. */
const HASH = 8;

/** @param assembly folder of the stacks */
export function functionSizes({ resources }: App, assembly: string): FunctionSize[] {
  const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
  const sizes = functions.map(({ id, properties: { Code, MemorySize } }) => {
    const asset = `asset.${(Code as { S3Key: string }).S3Key.replace('.zip', '')}`;
    const bundle = readFileSync(join(assembly, asset, 'index.js'));
    return { name: id.slice(0, -HASH), gzipBytes: gzipSync(bundle).length, memory: Number(MemorySize) };
  });
  return sizes.sort((a, b) => b.gzipBytes - a.gzipBytes || a.name.localeCompare(b.name));
}
