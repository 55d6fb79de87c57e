/** Reads scrapes with the parser of Prometheus, in Go. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

export interface Scraped {
  readonly types: Readonly<Record<string, string>>;
  readonly units: Readonly<Record<string, string>>;
  readonly series: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const FOLDER = 'test/usage/prometheus';

/** Returns whether this machine has Go. With REQUIRE_GO=1, tests fail without it. */
export function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return process.env.REQUIRE_GO === '1';
  }
}

/**
 * Returns what Prometheus reads in a scrape.
 * @throws Error with the message of its parser
 */
export async function readByPrometheus(text: string, contentType: string): Promise<Scraped> {
  const parsing = promisify(execFile)('go', ['run', '.', contentType], { cwd: FOLDER, maxBuffer: 2 ** 28 });
  parsing.child.stdin?.end(text);
  return JSON.parse((await parsing).stdout) as Scraped;
}
