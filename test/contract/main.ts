/** `npm run contract`: lists the rows of the contract with their tests. Exits with 1 if a row has none. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { coverageOf, problemsOf } from './check.ts';
import { missingFrom } from './original.ts';
import { PAGE, readPage, rowsOf } from './page.ts';
import { contractTitles, isThere } from './sources.ts';

const help = `npm run contract -- [options]

Numbers every row of ${PAGE} and counts the tests that name it. Exits with 1 if a row has no test over HTTP, or one that
speaks of the console no test in a browser, if a test names a row that is not there, or if a test that proves a row
besides is gone.

  --list        the tests of each row too
  --spec FILE   compares the page with a specification, whose names and numbers must be on the page
  --help

The tests in a browser are run by: npm run test:long -- test/console
Those over HTTP are run by: npm test -- test/acceptance/contract test/acceptance/malformed
These start the service, unless these say where one runs:

  CONTRACT_URL          base address of the job interface, {serverless_url}, which ends in /v2
  CONTRACT_KEY          an API key that may call everything, with the scopes templates:read, templates:write and
                        templates:secrets
  CONTRACT_ENDPOINT     an endpoint that runs examples/echo, with 3 workers at most, and no other jobs; echo without it
  CONTRACT_BASE_URL     base address of the management interface; without it that of jobs with /v1
  CONTRACT_LIMITED_KEY  a key for the operation health only; without it two tests are skipped, with a message
  CONTRACT_OTHER_KEY    a key of another owner with the scopes templates:read and templates:write; without it three tests
                        are left out
`;

const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, spec: { type: 'string' }, help: { type: 'boolean' } },
});

function compare(file: string, page: string): string[] {
  const missing = missingFrom(page, readFileSync(file, 'utf8'));
  return missing.map(({ section, fact }) => `"${fact}" of "${section}" is not on the page`);
}

function check(): boolean {
  const page = readPage();
  const rows = rowsOf(page);
  const titles = contractTitles();
  for (const [n, { id, tests }] of coverageOf(rows, titles).entries()) {
    const inBrowser = tests.filter(({ isInBrowser }) => isInBrowser).length;
    const state = `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`;
    const where = inBrowser > 0 ? `, ${inBrowser} in a browser` : '';
    console.log(`${String(n + 1).padStart(3)}  ${id.padEnd(38)} ${state}${where}`);
    if (values.list) for (const { file, title } of tests) console.log(`       ${file}: ${title}`);
  }
  const problems = [...problemsOf(rows, titles, isThere), ...(values.spec ? compare(values.spec, page) : [])];
  console.log(`\n${rows.length} rows, ${titles.length} tests, ${problems.length} problems`);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

if (values.help) console.log(help);
else process.exitCode = check() ? 0 : 1;
