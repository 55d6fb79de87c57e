/** Tests the limits of forms, and that a form of any content lets the process do other work. */
import { describe, expect, it } from '@jest/globals';
import { SLICE } from '../../core/json/slices.ts';
import { payloadLimits } from '../../core/limits.ts';
import { formLimits } from '../../core/openai/form.ts';
import { openAiInput } from '../../core/openai/input.ts';
import { withTurns } from '../support/turns.ts';

const call = (contentType: string, body: Uint8Array) =>
  openAiInput({ method: 'POST', path: 'v1/audio/transcriptions', queryText: '', contentType, body });

const isStream = async (boundary: string, body: string | Uint8Array) =>
  (await call(`multipart/form-data; boundary="${boundary}"`, Buffer.from(body))).isStream;

const part = (headers: string, content = '', boundary = 'b') => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const disposition = (parameters: string) => `Content-Disposition: form-data${parameters}`;
const stream = (boundary = 'b') => part(disposition('; name="stream"'), 'true', boundary);
const end = (boundary = 'b') => `--${boundary}--`;

describe('a form', () => {
  it('can have a boundary of 70 characters, all that RFC 2046 allows', async () => {
    const boundary = `'()+_,-./:=? ${'a'.repeat(57)}`;
    expect(boundary).toHaveLength(formLimits.boundary);
    expect(await isStream(boundary, stream(boundary) + end(boundary))).toBe(true);
  });

  it.each([
    ['of 71 characters', 'a'.repeat(71), 'its `boundary` has 71 characters; at most 70 are allowed.'],
    ['of 7000 characters', 'a'.repeat(7_000), 'its `boundary` has 7000 characters; at most 70 are allowed.'],
    ['with another character', 'a*b', 'its `boundary` may contain only letters, digits'],
    ['that ends in a space', 'a ', 'its `boundary` may contain only letters, digits'],
  ])('is refused with a boundary %s, whatever its body is', async (_, boundary, message) => {
    const refused = expect.objectContaining({ status: 400, message: expect.stringContaining(message) });
    await expect(isStream(boundary, stream(boundary) + end(boundary))).rejects.toEqual(refused);
    await expect(isStream(boundary, 'no form')).rejects.toEqual(refused);
  });

  const { parts, parameters, headers } = formLimits;
  const many = (count: number) => part(disposition('; name=a')).repeat(count - 1) + stream() + end();
  const detailed = (count: number) => part(disposition(`${';a=b'.repeat(count - 1)};name=stream`), 'true') + end();
  const lineEnds = '\r\n\r\n\r\n'.length;
  const described = (size: number) => {
    const begin = `${disposition('; name=stream')}\r\nX: `;
    return part(begin + 'x'.repeat(size - begin.length), 'true') + end();
  };

  it.each([
    [`${parts} parts`, many(parts), many(parts + 1), 'it has more than 1000 parts; at most 1000 are allowed.'],
    [
      `a part with ${parameters} parameters`,
      detailed(parameters),
      detailed(parameters + 1),
      'a part has more than 32 parameters; at most 32 are allowed.',
    ],
    [
      `${headers} bytes of headers in a part`,
      described(headers - lineEnds),
      described(headers - lineEnds + 1),
      'a part has more than 16384 bytes of headers; at most 16384 are allowed.',
    ],
  ])('can have %s, and is refused with one more', async (_, allowed, refused, message) => {
    expect(await isStream('b', allowed)).toBe(true);
    await expect(isStream('b', refused)).rejects.toThrow(message);
  });

  it('is read correctly wherever a slice ends within its delimiter', async () => {
    for (let shift = 0; shift <= '\r\n--b'.length + 1; shift += 1) {
      const head = part(disposition('; name=stream'), '').slice(0, -'\r\n'.length);
      const preamble = 'x'.repeat(SLICE - shift);
      expect(await isStream('b', `${preamble}\r\n${stream()}${end()}`)).toBe(true);
      const begin = `--b\r\n${disposition('; name=file; filename=a')}\r\n\r\n`;
      const file = `${begin}${'x'.repeat(SLICE - shift)}\r\n`;
      expect(await isStream('b', `${file}${head}true\r\n${end()}`)).toBe(true);
    }
  });
});

describe('a body of a call, which can be as large as all others together', () => {
  const slices = 8;
  const size = slices * SLICE;
  const filled = (content: string) => Buffer.alloc(size, content);
  const form = (content: string | Buffer) =>
    Buffer.concat([Buffer.from(`${stream()}--b\r\n${disposition('; name=a')}\r\n\r\n`), Buffer.from(content)]);
  const long = disposition(`; name=a; x="${'y'.repeat(8_000)}"`);

  it.each([
    ['searched for the word stream', filled('s')],
    ['without the word stream, which is only encoded', filled('x')],
    ['searched for its first delimiter', Buffer.concat([Buffer.from('stream'), filled('\r\n--')])],
    ['with one part that nearly ends again and again', form(filled('\r\n--'))],
    ['with many parts', form(part(long).repeat(formLimits.parts - 10))],
  ])('lets the process do other work after each slice: a form %s', async (_, body) => {
    expect(body.length).toBeGreaterThan(size - 1);
    expect(body.length).toBeLessThan(payloadLimits.body.runsync);
    const { turns } = await withTurns(call('multipart/form-data; boundary=b', body).catch((error: Error) => error));
    expect(turns).toBeGreaterThanOrEqual(slices - 1);
  });

  it('lets the process do other work after each slice: bytes that are stored in base64', async () => {
    const { turns, result } = await withTurns(call('application/octet-stream', filled('x')));
    expect(turns).toBeGreaterThanOrEqual(slices - 1);
    const { openai_base64: base64 } = JSON.parse(Buffer.from(result.text).toString()) as { openai_base64: string };
    expect(Buffer.from(base64, 'base64').equals(filled('x'))).toBe(true);
  });
});
