/** Assigns the results of tests to the rows that their titles name. */
import { needsBrowser, type Row as PageRow } from './page.ts';

type Status = 'holds' | 'fails' | 'not checked';

interface TestResult {
  /** Title after the titles of its suites, without ids. */
  readonly title: string;
  readonly status: Status;
  /** What was expected and received, of a test that fails. */
  readonly error?: string;
  /** Why the test was not checked. */
  readonly reason?: string;
  readonly milliseconds: number;
}

/** What the process of the tests writes, one line of JSON each. */
export type Progress =
  | { readonly event: 'started'; readonly title: string }
  | (TestResult & { readonly event: 'ended'; readonly ids: readonly string[] })
  /** A hook of a suite has failed. */
  | { readonly event: 'broken'; readonly title: string; readonly error: string }
  | { readonly event: 'finished' };

export type Ended = Extract<Progress, { event: 'ended' }>;

export interface Row {
  readonly id: string;
  readonly section: string;
  readonly status: Status;
  readonly reason?: string;
  readonly tests: readonly TestResult[];
}

const IN_BROWSER = 'about the console, which only tests in a browser check';

function statusOf(tests: readonly TestResult[]): Status {
  const has = (status: Status) => tests.some((test) => test.status === status);
  if (has('fails')) return 'fails';
  return has('holds') ? 'holds' : 'not checked';
}

/** Returns the rows of the page with the results of their tests. A row holds if at least one test passed, and none failed. */
export function rowsWith(page: readonly PageRow[], ended: readonly Ended[]): Row[] {
  return page.map((row) => {
    const own = ended.filter(({ ids }) => ids.includes(row.id));
    const tests = own.map(({ event: _event, ids: _ids, ...test }) => test);
    const status = statusOf(tests);
    const reason = tests[0]?.reason ?? (needsBrowser(row) ? IN_BROWSER : 'its tests did not run');
    return { id: row.id, section: row.section, status, ...(status === 'not checked' && { reason }), tests };
  });
}
