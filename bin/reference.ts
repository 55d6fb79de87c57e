/** `npm run generate`: generates the reference of configuration from the schemas. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../lib/settings/package-files.ts';
import { readFlags, readOrExit } from './flags.ts';
import { differenceIn } from './reference/difference.ts';
import { FOLDER, markdownOf } from './reference/page.ts';
import { pages } from './reference/pages.ts';

const help = `Usage: npm run generate -- [options]

Writes the pages ${Object.keys(pages).join(', ')} of ${FOLDER}/
from the schemas of the YAML files and of the settings.

  --check   write nothing, print the first difference of each page, and exit with 1 if there is one
  --help    print this help

Examples:
  npm run generate
  npm run generate -- --check
`;

/** Returns a sentence for each page that differs from the schemas. */
const differences = (texts: readonly (readonly [file: string, text: string])[]) =>
  texts.flatMap(([file, text]) => {
    const path = join(packageFolder, file);
    return differenceIn(file, existsSync(path) ? readFileSync(path, 'utf8') : undefined, text) ?? [];
  });

const flag = { type: 'boolean', default: false } as const;
const values = readOrExit(() => readFlags('generate', { check: flag, help: flag }, process.argv.slice(2)));

if (values.help) console.log(help);
else {
  const texts = Object.entries(pages).map(([name, page]) => [`${FOLDER}/${name}`, markdownOf(page())] as const);
  if (values.check) {
    const found = differences(texts);
    for (const difference of found) console.error(`${difference} Run npm run generate.`);
    process.exitCode = found.length > 0 ? 1 : 0;
  } else {
    mkdirSync(join(packageFolder, FOLDER), { recursive: true });
    for (const [file, text] of texts) writeFileSync(join(packageFolder, file), text);
  }
}
