/** Tests which outputs count as written by the agent, and what of them decides the response. */
import { describe, expect, it } from '@jest/globals';
import { SLICE } from '../../core/json/slices.ts';
import { envelopeOf, opened } from '../../core/openai/envelope.ts';
import { withTurns } from '../support/turns.ts';

const JOB = 'sync-1';
const body = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const open = (text: string) => opened(Buffer.from(text), JOB);
const typed = async (contentType: string) => (await open(envelopeOf(JOB, contentType, body)))?.contentType;

describe('an envelope', () => {
  it.each([0, 1, 2, 3, 256])('contains %d bytes unchanged, with their type and status', async (length) => {
    const bytes = body.subarray(0, length);
    const found = await open(envelopeOf(JOB, 'audio/mpeg', bytes, { status: 404 }));
    expect(found).toEqual({ contentType: 'audio/mpeg', status: 404, bytes: Buffer.from(bytes) });
  });

  it.each(['text/plain; charset=utf-8', 'application/problem+json;charset="utf-8"', `a/${'b'.repeat(254)}`])(
    'keeps the media type %j',
    async (type) => {
      expect(await typed(type)).toBe(type);
    },
  );

  it.each([
    ['has 257 characters', `a/${'b'.repeat(255)}`],
    ['has a line end', 'text/html\r\nSet-Cookie: a=b'],
    ['has no slash', 'text'],
    ['has a character that headers cannot contain', 'text/é'],
    ['has 400,000 characters and then a line end', `a/${'a'.repeat(400_000)}\n`],
    ['has parameters without a separator', 'text/plain"x"'],
  ])('has the type of bytes if its own %s', async (_, type) => {
    expect(await typed(type)).toBe('application/octet-stream');
  });

  it.each([
    ['of another job', envelopeOf('sync-2', 'text/html', body)],
    ['without a job', '{"openai_content_type":"text/html","openai_base64":"aaaa"}'],
    ['with its job after its type', `{"openai_content_type":"text/html","openai_job":"${JOB}","openai_base64":"aaaa"}`],
    ['with bytes that are not base64', `{"openai_job":"${JOB}","openai_base64":"a%aa"}`],
    ['without bytes', `{"openai_job":"${JOB}"}`],
  ])('is not an object %s', async (_, text) => {
    expect(await open(text)).toBeUndefined();
  });

  it('ignores a type and a status that are no short values', async () => {
    const large = `[${'['.repeat(100)}${']'.repeat(100)}]`;
    const found = await open(
      `{"openai_job":"${JOB}","openai_status":${large},"openai_content_type":${large.repeat(1)},"openai_base64":""}`,
    );
    expect(found).toMatchObject({ contentType: 'application/octet-stream', status: undefined });
  });

  it('is opened in slices, between which the process does other work', async () => {
    const large = Buffer.alloc(8 * SLICE, body);
    const { result, turns } = await withTurns(open(envelopeOf(JOB, 'audio/mpeg', large)));
    expect(Buffer.from(result?.bytes ?? []).equals(large)).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(16);
  });
});
