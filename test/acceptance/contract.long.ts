/**
 * Runs `gpu-endpoints verify` against a service as a user does: all rows of the contract hold, and it names the rows that
 * do not. The file starts its own service, so that no other requests count against the limits.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readPage, rowsOf } from '../../bin/verify/page.ts';
import type { Row } from '../../bin/verify/results.ts';
import { type Target, variables } from '../../bin/verify/target.ts';
import { type Change, changeResponses } from '../contract/changed-responses.ts';
import { coverageOf } from '../contract/check.ts';
import { withCauses } from '../contract/logged-failure.ts';
import { contractTitles } from '../contract/sources.ts';
import { type LocalTarget, startTarget } from '../contract/target.ts';
import { call, eventually } from './local-service.ts';

/** Milliseconds of all rows on a busy machine. */
const MAX_ALL = 1_200_000;

let target: LocalTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.end());

const ajv = new Ajv2020();
addFormats.default(ajv);
const isDescribed = ajv.compile(JSON.parse(readFileSync('docs/reference/verify.schema.json', 'utf8')));

function start({ serverlessUrl, baseUrl, key, limitedKey, otherKey }: Target, ...more: readonly string[]) {
  const args = ['bin/cli.ts', 'verify', '--url', serverlessUrl, '--management-url', baseUrl, ...more];
  const env = {
    ...process.env,
    [variables.key]: key,
    [variables.limitedKey]: limitedKey,
    [variables.otherKey]: otherKey,
  };
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { env });
}

async function ending(child: ReturnType<typeof start>) {
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}

const onlyProgress = expect.stringMatching(/^(?:\d+ tests have run\. Now: .*\n)*$/);

/** Runs the rows, and returns those of the JSON, whose form is described. */
async function rowsFrom(of: Target, ...more: readonly string[]) {
  const { code, out, err } = await ending(start(of, '--json', ...more));
  const printed = JSON.parse(out) as { readonly url: string; readonly rows: readonly Row[] };
  expect([isDescribed(printed), isDescribed.errors, err]).toEqual([true, null, onlyProgress]);
  expect(printed.url).toBe(of.serverlessUrl);
  return { code, rows: printed.rows };
}

const idsWith = (rows: readonly Row[], status: Row['status']) =>
  rows.filter((row) => row.status === status).map(({ id }) => id);

it(
  'holds in every row that needs no browser',
  async () => {
    const { code, rows } = await rowsFrom(target);
    const failed = rows.flatMap(({ tests }) => tests.filter(({ status }) => status === 'fails'));
    const errors = failed.map(({ title, error }) => withCauses(target.stateDir, `${title}: ${error}`));
    expect([...new Set(await Promise.all(errors))]).toEqual([]);
    expect(code).toBe(0);
    const page = rowsOf(readPage());
    expect(rows.map(({ id, section }) => [id, section])).toEqual(page.map(({ id, section }) => [id, section]));
    const inBrowser = coverageOf(page, contractTitles()).filter(({ tests }) => tests.every((test) => test.isInBrowser));
    expect(idsWith(rows, 'not checked')).toEqual(inBrowser.map(({ id }) => id));
  },
  MAX_ALL,
);

describe('a service that breaks a row', () => {
  // Text is replaced in place: JSON that is parsed and written again would differ in other rows.
  const replaced =
    (prefix: string, from: RegExp | string, to: string): Change =>
    (response, _, path) => {
      if (path.startsWith(prefix)) response.text = response.text.replace(from, to);
    };
  const breaks: readonly [what: string, row: string, change: Change][] = [
    ['a missing field of a job', 'job.output.null', replaced('/v2/echo/status/', /"output":null,|,"output":null/, '')],
    [
      'a wrong status code',
      'route.input',
      (response, _, path) => {
        if (path.startsWith('/v2/echo/input/') && response.status === 404) response.status = 400;
      },
    ],
    [
      'a wrong state of a job',
      'state.FAILED',
      replaced('/v2/echo/status/', '"status":"FAILED"', '"status":"TIMED_OUT"'),
    ],
    [
      'a missing header',
      'route.run.header',
      (response, _, path) => {
        if (path === '/v2/echo/run') delete response.headers['x-job-id'];
      },
    ],
    ['a wrong limit', 'policy.ttl.max', replaced('/v2/echo/run', '604800000', '86400000')],
  ];
  const only = ['--only', ...breaks.map(([, row]) => row), 'job.id', 'job.output', 'policy.executionTimeout.min'];

  async function whileBroken<Result>(by: Change, test: (broken: Target) => Promise<Result>): Promise<Result> {
    const proxy = await changeResponses(new URL(target.serverlessUrl).origin, by);
    try {
      return await test({ ...target, serverlessUrl: `${proxy.url}/v2`, baseUrl: `${proxy.url}/v1` });
    } finally {
      proxy.close();
    }
  }

  it.each(breaks)(
    'by %s fails in that row only: %s',
    (_, row, by) =>
      whileBroken(by, async (broken) => {
        const { code, rows } = await rowsFrom(broken, ...only);
        expect([code, idsWith(rows, 'fails')]).toEqual([1, [row]]);
        expect(idsWith(rows, 'holds')).toHaveLength(rows.length - 1);
      }),
    MAX_ALL,
  );

  it('has a line in the printed text with what was expected and received, and a summary', async () => {
    const withoutHeader: Change = ({ headers }) => delete headers['x-job-id'];
    const { code, out, err } = await whileBroken(withoutHeader, (broken) =>
      ending(start(broken, '--only', 'route.run.header', 'job.id')),
    );
    expect({ code, lines: out.trim().split('\n'), err }).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(
          /^route\.run\.header does not hold: a job has its id in a header too: expected "\w+", received null$/,
        ),
        '1 row holds, 1 does not, 0 not checked.',
      ],
      err: onlyProgress,
    });
  });
});

it('cancels the jobs of the tests when the user presses Ctrl-C', async () => {
  const jobs = async () => {
    const { json } = await call({ ApiKey: target.key }, 'GET', `${target.serverlessUrl}/echo/health`);
    return json.jobs as Readonly<Record<string, number>>;
  };
  const child = start(target, '--only', 'webhook.ttl');
  const ended = ending(child);
  // The test of this row keeps three workers busy, and waits for at least 10 seconds.
  await eventually('the long jobs run', async () => (await jobs()).inProgress === 3 || undefined);
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 130, out: '', err: expect.stringMatching(/^Stopping: cancels the jobs/m) });
  await eventually('no job is left', async () => {
    const { inProgress, inQueue } = await jobs();
    return inProgress === 0 && inQueue === 0 ? true : undefined;
  });
});
