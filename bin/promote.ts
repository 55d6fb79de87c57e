/** `gpu-endpoints promote`: gives an environment the image of another one, by its digest. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Document, parseDocument } from 'yaml';
import { readEnvironments } from '../lib/deployment/environments.ts';
import { overrideFileOf, readDeclarations } from '../lib/endpoints/declaration.ts';
import { declarationsFolder } from './assembly/app-folder.ts';
import { printJson } from './client/print.ts';
import { digestOf } from './image-digest.ts';
import type { PromoteFlags } from './repository/options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns the image of the endpoint in the environment.
 * @throws UsageError if its file contains none that is pulled
 */
function imageOf(root: string, endpoint: string, environment: string): string {
  const declarations = readDeclarations(root, environment);
  const found = declarations.find(({ id }) => id === endpoint);
  const ids = declarations.map(({ id }) => id).join(', ') || 'none';
  if (!found) throw new UsageError(`${environment} has no endpoint ${JSON.stringify(endpoint)}; it has ${ids}.`);
  if (found.image === undefined)
    throw new UsageError(`${endpoint} runs the template ${found.template}, which belongs to all environments.`);
  if (found.build !== undefined)
    throw new UsageError(
      `${endpoint} is built from ${found.build} by each deployment: push its image to a registry first.`,
    );
  return found.image;
}

/** Sets the field in the YAML file, and keeps its other lines. */
function writeImage(file: string, image: string): void {
  const document = existsSync(file) ? parseDocument(readFileSync(file, 'utf8')) : new Document({});
  if (document.contents === null) document.contents = document.createNode({});
  document.set('image', image);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, document.toString({ lineWidth: 0 }));
}

/** Writes the image into the file of the other environment, and prints what has changed. */
export function promote(endpoint: string, { from, to, json }: PromoteFlags): void {
  if (from === to) throw new UsageError(`--from and --to must be different environments, got ${from} twice.`);
  const root = declarationsFolder();
  const names = readEnvironments(root).map(({ id }) => id);
  for (const name of [from, to])
    if (!names.includes(name))
      throw new UsageError(
        `There is no environments/${name}.yaml; the environments are ${names.join(', ') || 'none'}.`,
      );

  const image = imageOf(root, endpoint, from);
  const before = imageOf(root, endpoint, to);
  const isPinned = image.includes('@');
  const promoted = isPinned ? image : `${image}@${digestOf(image)}`;
  const file = overrideFileOf(to, endpoint);
  if (before !== promoted) writeImage(join(root, file), promoted);
  if (json) printJson({ endpoint, file, image: promoted, before });
  else if (before === promoted) console.log(`${endpoint} in ${to} already runs ${promoted}.`);
  else {
    console.log(`${file}: \`image\` is ${promoted} instead of ${before}. Commit the file and deploy ${to}.`);
    if (!isPinned)
      console.log(`${from} names the image by its tag, so its workers can run another one. Its digest now is written.`);
  }
}
