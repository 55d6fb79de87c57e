/** `npm run promote`: gives an environment the image of another one, by its digest. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Document, parseDocument } from 'yaml';
import { readEnvironments } from '../lib/deployment/environments.ts';
import { overrideFileOf, readDeclarations } from '../lib/endpoints/declaration.ts';
import { declarationsFolder } from './assembly/app-folder.ts';
import { printText, readArguments, runCommand } from './flags.ts';
import { digestOf } from './image-digest.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run promote -- ENDPOINT --from ENVIRONMENT --to ENVIRONMENT

Writes the image that the endpoint has in one environment, with its digest, into the override file of another one:
environments/TO/endpoints/ENDPOINT.yaml. Both then run the same image, also if its tag is pushed again. If the image has
no digest, the command asks the registry for it, with \`docker buildx imagetools inspect\` and the logins of Docker.
Deploys nothing: commit the file, and deploy it as any other change. Needs no AWS account.

  --from ENVIRONMENT   name of a file in environments/, without .yaml
  --to ENVIRONMENT     name of another file in environments/, without .yaml
  --help               print this help

Examples:
  npm run promote -- chat --from test --to prod
`;

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

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { from: text, to: text, help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readArguments('promote', options, process.argv.slice(2));
  if (values.help) return printText(HELP);
  const [endpoint, ...others] = positionals;
  const { from, to } = values;
  if (!endpoint || others.length > 0 || !from || !to || from === to)
    throw new UsageError('promote takes the id of one endpoint, --from and another --to; --help shows the usage.');
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
  if (before === promoted) return void console.log(`${endpoint} in ${to} already runs ${promoted}.`);
  writeImage(join(root, file), promoted);
  console.log(`${file}: \`image\` is ${promoted} instead of ${before}. Commit the file and deploy ${to}.`);
  if (!isPinned)
    console.log(`${from} names the image by its tag, so its workers can run another one. Its digest now is written.`);
}

runCommand(main);
