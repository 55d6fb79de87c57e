/** Lists the rows of the contract with their tests. Exits with 1 if a row has none. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runCommand } from '../../bin/flags.ts';
import { PAGE, readPage, rowsOf } from '../../bin/verify/page.ts';
import { coverageOf, problemsOf } from './check.ts';
import { missingFrom } from './original.ts';
import { contractTitles, hasProof, readProofs } from './sources.ts';

const HELP = `Usage: node test/contract/main.ts [options]

Numbers every row of ${PAGE} and counts the tests that name it. Exits with 1 in any of these cases:
- A row has no test over HTTP, or a row about the console has no test in a browser.
- A test names a row that does not exist.
- An additional test that test/contract/proofs.yaml names does not exist.

  --list        also list the tests of each row
  --spec FILE   compare the page with a specification, whose names and numbers must be on the page
  --help        print this help

To run the tests in a browser: npm run test:long -w packages/console
To run the tests over HTTP: npm run test:long -- test/acceptance/contract, or npx gpu-endpoints verify against a
deployment

Examples:
  node test/contract/main.ts
  node test/contract/main.ts --list
`;

const flag = { type: 'boolean', default: false } as const;
const options = { list: flag, spec: { type: 'string' }, help: flag } as const;

interface Values {
  readonly list: boolean;
  readonly spec?: string;
}

function compare(file: string, page: string): string[] {
  const missing = missingFrom(page, readFileSync(file, 'utf8'));
  return missing.map(({ section, fact }) => `"${fact}" of "${section}" is not on the page`);
}

function check({ list, spec }: Values): boolean {
  const page = readPage();
  const rows = rowsOf(page);
  const titles = contractTitles();
  for (const [n, { id, tests }] of coverageOf(rows, titles).entries()) {
    const inBrowser = tests.filter(({ isInBrowser }) => isInBrowser).length;
    const state = `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`;
    const where = inBrowser > 0 ? `, ${inBrowser} in a browser` : '';
    console.log(`${String(n + 1).padStart(3)}  ${id.padEnd(38)} ${state}${where}`);
    if (list) for (const { file, title } of tests) console.log(`       ${file}: ${title}`);
  }
  const problems = [...problemsOf(rows, titles, readProofs(), hasProof), ...(spec ? compare(spec, page) : [])];
  console.log(`\n${rows.length} rows, ${titles.length} tests, ${problems.length} problems`);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

runCommand(async () => {
  const { help, ...values } = parseArgs({ options }).values;
  if (help) console.log(HELP);
  else process.exitCode = check(values) ? 0 : 1;
});
