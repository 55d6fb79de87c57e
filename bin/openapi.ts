/** `npm run openapi`: generates the OpenAPI documents of both interfaces from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { jobsDocument, managementDocument } from '../core/openapi/document.ts';

const files = {
  'docs/reference/openapi/jobs.json': jobsDocument,
  'docs/reference/openapi/management.json': managementDocument,
} as const;

const help = `Usage: npm run openapi -- [options]

Writes ${Object.keys(files).join(' and ')}.

  --check   write nothing, and exit with 1 if a file differs from the code
  --help    print this help
`;

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});

const textOf = (document: () => object) => `${JSON.stringify(document(), undefined, 2)}\n`;

if (values.help) console.log(help);
else if (values.check) {
  const stale = Object.entries(files).filter(([file, document]) => readFileSync(file, 'utf8') !== textOf(document));
  for (const [file] of stale) console.log(`${file} differs from the code: run npm run openapi.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else for (const [file, document] of Object.entries(files)) writeFileSync(file, textOf(document));
