/** The bundles of the functions of synthesized stacks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { App, Resource } from '../../bin/assembly/app.ts';

export interface FunctionBundle {
  /** Logical id without its hash, such as `JobsRun`. */
  readonly name: string;
  /** The function in the template. */
  readonly resource: Resource;
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** Maximum size of one compressed function, in bytes. */
export const BUNDLE_BOUND = 220 * 1_024;

/** Number of characters of the hash at the end of CloudFormation's logical ids. */
const HASH = 8;

/** @param assembly folder of the stacks */
export function bundlesIn({ resources }: App, assembly: string): FunctionBundle[] {
  const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
  return functions.map((resource) => {
    const { Code } = resource.properties as { Code: { S3Key: string } };
    const folder = join(assembly, `asset.${Code.S3Key.replace('.zip', '')}`);
    const file = join(folder, 'index.js');
    const code = readFileSync(file);
    const sizes = { bytes: code.length, gzipBytes: gzipSync(code).length };
    return { name: resource.id.slice(0, -HASH), resource, folder, file, ...sizes };
  });
}
