/**
 * Sends tables of requests, most of them invalid, and checks each response: it is never a 5xx, it is JSON in the
 * error shape or CloudFront's own page, and it has no internal names. Workers of the endpoint run the example.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Target } from '../../../bin/verify/target.ts';
import { send, type WireAnswer } from '../../../bin/verify/wire.ts';
import { newSecret } from '../../../core/keys/client-keys.ts';
import { SECOND } from '../../../core/limits.ts';
import { authorization } from './authorization.ts';
import { bodies } from './bodies.ts';
import { ids } from './ids.ts';
import { policy } from './policy.ts';
import type { Given, Row } from './row.ts';
import { templates } from './templates.ts';

const recordOf = ({ text }: WireAnswer) => JSON.parse(text) as { id: string; status: string; output: unknown };

/** Matches names of the service's tables, roles and files, and stack traces. */
const INSIDE = /arn:aws|amazonaws|\w+Table[0-9A-F]{8}|Role[0-9A-F]{8}|node_modules|\n\s+at |\.ts:\d|<html/i;

function holdAgainst(
  { status, code, atEdge }: Row,
  key: string,
  method: string,
  { status: answered, headers, text }: WireAnswer,
): void {
  expect([answered, text.slice(0, 300)]).toEqual([status, expect.anything()]);
  if (atEdge) {
    expect([headers.server, headers['content-type']]).toEqual(['CloudFront', 'text/html']);
    expect(text).not.toContain(key);
    return;
  }
  expect(headers['content-type']).toMatch(/^application\/json/);
  if (method === 'HEAD') return;
  const json = JSON.parse(text) as Record<string, unknown>;
  expect(text).not.toMatch(INSIDE);
  if (code === undefined) return;
  expect(json).toEqual({ error: expect.stringMatching(/^.{10,}$/s), code, requestId: expect.any(String) });
  expect(text).not.toContain(key);
  // A response must not contain the whole request, however long it is.
  expect(text.length).toBeLessThan(1_000);
}

/** Declares the tests of all tables. */
export function corpora(target: () => Target): void {
  let given: Given;

  const post = (path: string, body: string) => {
    const { serverlessUrl, key, endpoint } = target();
    return send(serverlessUrl, key, { method: 'POST', path: `/${endpoint}/${path}`, body });
  };

  async function outputOf(accepted: WireAnswer): Promise<string> {
    const { id } = recordOf(accepted);
    const { text } = await send(target().serverlessUrl, given.key, {
      method: 'GET',
      path: `/${given.endpoint}/status-sync/${id}?wait=60000`,
    });
    return text;
  }

  /**
   * Waits after a 429 as clients do, because a fast machine exceeds the rate limit. Nothing else answers 429 in
   * these tests.
   */
  async function sendInTurn(to: string, request: ReturnType<Row['request']>): Promise<WireAnswer> {
    const answer = await send(to, given.key, request);
    if (answer.status !== 429) return answer;
    await delay(Number(answer.headers['retry-after']) * SECOND);
    return send(to, given.key, request);
  }

  describe('the service', () => {
    beforeAll(async () => {
      const { key, endpoint } = target();
      // The result of `/run` is kept until the tables are done. The result of `/runsync` might not be.
      const accepted = await post('run', '{"input":{}}');
      given = { key, unknownKey: newSecret(randomBytes(64)), endpoint, job: recordOf(accepted).id };
      await outputOf(accepted);
    });

    describe.each([
      ['a request with credentials', authorization],
      ['a request with a body', bodies],
      ['a request with job settings', policy],
      ['a request with a path', ids],
      ['a request with a template', templates],
    ])('answers %s', (_, rows) => {
      it.each(rows.map((row) => [`with ${row.code ?? row.status}: ${row.name}`, row] as const))(
        '%s',
        async (_name, row) => {
          const wanted = row.request(given);
          const answer = await sendInTurn(row.at === 'management' ? target().baseUrl : target().serverlessUrl, wanted);
          holdAgainst(row, given.key, wanted.method, answer);
          if (row.output !== undefined) expect(await outputOf(answer)).toContain(`"output":${row.output}`);
        },
      );
    });

    describe('the service after these requests', () => {
      it('gives every job its own output, however many jobs are submitted at the same time', async () => {
        const marks = Array.from({ length: 40 }, () => randomBytes(12).toString('hex'));
        const answers = await Promise.all(
          marks.map((mark) => post('runsync?wait=120000', `{"input":{"mark":"${mark}"}}`)),
        );
        expect(answers.map((answer) => recordOf(answer).output)).toEqual(marks.map((mark) => ({ mark })));
        expect(new Set(answers.map((answer) => recordOf(answer).id)).size).toBe(marks.length);
      });
    });
  });
}
