/**
 * A reporter of `node:test`: writes one line of JSON when a test starts and when it has ended, and one at the end. Node.js
 * loads it into the process of the tests by `--test-reporter`.
 */
import type { TestEvent } from 'node:test/reporters';
import { stripVTControlCharacters } from 'node:util';
import { idsIn } from './page.ts';
import type { Progress } from './results.ts';

type Complete = Extract<TestEvent, { type: 'test:complete' }>['data'];

const causeOf = ({ details: { error } }: Complete) => (error?.cause instanceof Error ? error.cause : error);

const messageOf = (data: Complete) => stripVTControlCharacters(causeOf(data)?.message ?? 'failed');

const isHookFailure = ({ details: { error } }: Complete) =>
  error !== undefined && 'failureType' in error && error.failureType === 'hookFailed';

/** Returns a title without ids, after the titles of the suites of the test. */
const fullTitle = (suites: readonly string[], name: string) =>
  [...suites, name.replace(/^(?:\[[^\]]+\])+ /, '')].join(' ');

function ended(title: string, data: Complete): Progress {
  const { name, details, skip } = data;
  const skipped = skip === undefined || skip === false ? undefined : String(skip);
  return {
    event: 'ended',
    ids: idsIn(name),
    title,
    status: skipped !== undefined ? 'not checked' : details.passed ? 'holds' : 'fails',
    ...(skipped !== undefined && { reason: skipped }),
    ...(!details.passed && { error: messageOf(data) }),
    milliseconds: Math.round(details.duration_ms),
  };
}

async function* progressOf(source: AsyncIterable<TestEvent>): AsyncGenerator<Progress> {
  /** Titles of the current test and its suites. Tests run one after the other. */
  const path: string[] = [];
  for await (const { type, data } of source) {
    if (type === 'test:dequeue') {
      path.splice(data.nesting, Number.POSITIVE_INFINITY, data.name);
      if (data.type === 'test') yield { event: 'started', title: fullTitle(path.slice(0, -1), data.name) };
    }
    if (type !== 'test:complete') continue;
    const title = fullTitle(path.slice(0, data.nesting), data.name);
    if (data.details.type !== 'suite') yield ended(title, data);
    else if (isHookFailure(data)) yield { event: 'broken', title, error: messageOf(data) };
  }
  yield { event: 'finished' };
}

export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const progress of progressOf(source)) yield `${JSON.stringify(progress)}\n`;
}
