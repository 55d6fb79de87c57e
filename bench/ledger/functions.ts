/** The functions of the synthesized stacks: the size of their bundles, and their memory. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface FunctionSize {
  /** Such as `JobsRun`. */
  readonly name: string;
  readonly gzipBytes: number;
  /** In MB. */
  readonly memory: number;
}

interface Resource {
  readonly Type: string;
  readonly Properties: { readonly MemorySize: number; readonly Code: { readonly S3Key: string } };
}

/** CloudFormation's logical ids end with a hash of this many characters. */
const HASH = 8;

/** @param assembly folder of the synthesized stacks */
export function functionSizes(assembly: string): FunctionSize[] {
  const templates = globSync(join(assembly, '*.template.json')).map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as { Resources: Readonly<Record<string, Resource>> },
  );
  const functions = templates
    .flatMap(({ Resources }) => Object.entries(Resources))
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  const sizes = functions.map(([id, { Properties }]) => {
    const asset = `asset.${Properties.Code.S3Key.replace('.zip', '')}`;
    const bundle = readFileSync(join(assembly, asset, 'index.js'));
    return { name: id.slice(0, -HASH), gzipBytes: gzipSync(bundle).length, memory: Properties.MemorySize };
  });
  return sizes.sort((a, b) => b.gzipBytes - a.gzipBytes || a.name.localeCompare(b.name));
}
