/**
 * Tables of requests, most of them wrong, and how each is answered: never by a 5xx, never by anything but JSON in the
 * one error shape, never with a word of what is inside. CONTRACT_URL and CONTRACT_KEY name the job interface of a
 * running service whose endpoint `echo` runs the example worker; without them one is started.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSecret } from '../../core/keys/key.ts';
import { SECOND } from '../../core/limits.ts';
import { authorization } from '../contract/corpora/authorization.ts';
import { bodies } from '../contract/corpora/bodies.ts';
import { ids } from '../contract/corpora/ids.ts';
import { policy } from '../contract/corpora/policy.ts';
import type { Given, Row } from '../contract/corpora/row.ts';
import { templates } from '../contract/corpora/templates.ts';
import { send, type WireAnswer } from '../contract/wire.ts';
import { sharedAssembly } from './assembly.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';

const endpoint = 'echo';
const stateDir = newStateDir();
let service: LocalService | undefined;
let base: string;
let baseUrl: string;
let given: Given;

const post = (path: string, body: string) =>
  send(base, given.key, { method: 'POST', path: `/${endpoint}/${path}`, body });
const recordOf = ({ text }: WireAnswer) => JSON.parse(text) as { id: string; status: string; output: unknown };

beforeAll(async () => {
  const { CONTRACT_URL: url, CONTRACT_KEY: key, CONTRACT_BASE_URL } = process.env;
  if (!url || !key) service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
  base = url || (service?.JobApiUrl ?? '');
  baseUrl = CONTRACT_BASE_URL || (service?.ManagementApiUrl ?? base.replace(/v2$/, 'v1'));
  given = { key: key || (service?.ApiKey ?? ''), unknownKey: newSecret(randomBytes(64)), endpoint, job: '' };
  given = { ...given, job: recordOf(await post('runsync?wait=120000', '{"input":{}}')).id };
}, 180_000);
afterAll(async () => {
  if (service) await stopService(service);
});

/** Names of tables, roles and files of ours, and traces of a stack. */
const INSIDE = /arn:aws|amazonaws|\w+Table[0-9A-F]{8}|Role[0-9A-F]{8}|node_modules|\n\s+at |\.ts:\d|<html/i;

function holdAgainst({ status, code }: Row, method: string, { status: answered, headers, text }: WireAnswer): void {
  expect([answered, text.slice(0, 300)]).toEqual([status, expect.anything()]);
  expect(headers['content-type']).toMatch(/^application\/json/);
  if (method === 'HEAD') return;
  const json = JSON.parse(text) as Record<string, unknown>;
  expect(text).not.toMatch(INSIDE);
  if (code === undefined) return;
  expect(json).toEqual({ error: expect.stringMatching(/^.{10,}$/s), code, requestId: expect.any(String) });
  expect(text).not.toContain(given.key);
  // A request does not come back whole, however long it is.
  expect(text.length).toBeLessThan(1_000);
}

async function outputOf(accepted: WireAnswer): Promise<string> {
  const { id } = recordOf(accepted);
  const { text } = await send(base, given.key, { method: 'GET', path: `/${endpoint}/status-sync/${id}?wait=60000` });
  return text;
}

/** A quick machine comes sooner than the rate allows, and waits as clients do: nothing else of the service answers 429 here. */
async function sendInTurn(to: string, request: ReturnType<Row['request']>): Promise<WireAnswer> {
  const answer = await send(to, given.key, request);
  if (answer.status !== 429) return answer;
  await delay(Number(answer.headers['retry-after']) * SECOND);
  return send(to, given.key, request);
}

describe.each([
  ['Authorization', authorization],
  ['a body of /run', bodies],
  ['a setting of a job', policy],
  ['a path', ids],
  ['a template', templates],
])('%s', (_, rows) => {
  it.each(rows.map((row) => [`${row.name}: ${row.code ?? row.status}`, row] as const))('%s', async (_name, row) => {
    const wanted = row.request(given);
    const answer = await sendInTurn(row.at === 'management' ? baseUrl : base, wanted);
    holdAgainst(row, wanted.method, answer);
    if (row.output !== undefined) expect(await outputOf(answer)).toContain(`"output":${row.output}`);
  });
});

describe('the service after all this', () => {
  it('gives every job its own output, however many come at once', async () => {
    const marks = Array.from({ length: 40 }, () => randomBytes(12).toString('hex'));
    const answers = await Promise.all(marks.map((mark) => post('runsync?wait=120000', `{"input":{"mark":"${mark}"}}`)));
    expect(answers.map((answer) => recordOf(answer).output)).toEqual(marks.map((mark) => ({ mark })));
    expect(new Set(answers.map((answer) => recordOf(answer).id)).size).toBe(marks.length);
  });
});
