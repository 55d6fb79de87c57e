/** Tests joining the parts of a chunk, which user code can write with any numbers. */
import { describe, expect, it } from '@jest/globals';
import { payloadLimits } from '../../core/limits.ts';
import { PartJoiner } from '../../core/openai/parts.ts';
import { cut, MAX_PARTS } from '../../core/streams/chunk.ts';
import type { ReadChunk } from '../../core/streams/pack.ts';

/**
 * Joins chunks.
 * @returns the texts of their events, and the bytes that the joiner has held
 */
async function join(chunks: readonly Partial<ReadChunk>[]) {
  const held: number[] = [];
  const joiner = new PartJoiner('sync-1', { hold: async (bytes) => void held.push(bytes) });
  const texts: string[] = [];
  for (const chunk of chunks) texts.push(...(await joiner.textsOf({ number: 0, output: '1', text: '', ...chunk })));
  joiner.assertComplete();
  return { text: texts.join(''), held };
}

const part = (part: number, parts: number, output = '"x"') => ({ part, parts, output });

describe('the parts of a chunk', () => {
  it('are one event, beside chunks without parts', async () => {
    const chunks = [{ output: '1' }, part(1, 2, '"{\\"a\\":"'), part(2, 2, '"2}"'), { output: '"data: 3\\n\\n"' }];
    expect((await join(chunks)).text).toBe('data: 1\n\ndata: {"a":2}\n\ndata: 3\n\n');
  });

  it('are counted in the memory of the call before they are kept', async () => {
    expect((await join([part(1, 3), part(2, 3), part(3, 3)])).held).toEqual([2 * 3 * payloadLimits.chunk]);
    const joiner = new PartJoiner('sync-1', { hold: () => Promise.reject(new Error('no memory')) });
    await expect(joiner.textsOf({ number: 0, text: '', ...part(1, 2) })).rejects.toThrow('no memory');
  });

  it.each([
    ['begin with the second', [part(2, 3)], 'part 2 of 3 follows part 0 of 1'],
    ['have a gap', [part(1, 3), part(3, 3)], 'part 3 of 3 follows part 1 of 3'],
    ['are repeated', [part(1, 3), part(1, 3)], 'part 1 of 3 follows part 1 of 3'],
    ['change their number', [part(1, 3), part(2, 4)], 'part 2 of 4 follows part 1 of 3'],
    ['are followed by a whole chunk', [part(1, 3), { output: '1' }], 'part 1 of 1 follows part 1 of 3'],
    ['never end', [part(1, 3), part(2, 3)], 'it ends after part 2 of 3'],
    ['are not strings', [part(1, 2, '{"a":1}')], 'part 1 of 2 is not a string'],
  ])('end the call with an error if they %s', async (_, chunks, detail) => {
    await expect(join(chunks)).rejects.toMatchObject({
      status: 500,
      isFinal: true,
      problem: {
        message: `The worker of job sync-1 has stored a stream that cannot be read: ${detail}.`,
        code: 'WORKER_ERROR',
      },
    });
  });

  it('end the call with an error if they are longer than an output can be', async () => {
    const large = `"${'x'.repeat(payloadLimits.chunk)}"`;
    const chunks = Array.from({ length: MAX_PARTS }, (_, n) => part(n + 1, MAX_PARTS, large));
    await expect(join(chunks)).rejects.toThrow(`its parts have more than ${payloadLimits.output} characters`);
  });

  it('are fewer than the maximum for the largest output, even if every character of it is escaped', async () => {
    const output = `{"a":"${'\\"'.repeat(payloadLimits.output / 2 - 4)}"}`;
    const metrics = `{"scenario":"${'\\ud83d\\ude42'.repeat(100)}"}`;
    const chunks = await cut(0, { output, metrics });
    expect(Buffer.byteLength(output)).toBe(payloadLimits.output);
    expect(chunks[0]?.parts).toBe(chunks.length);
    expect(chunks.length).toBeLessThan(MAX_PARTS);
    expect((await join(chunks)).text === `data: ${output}\n\n`).toBe(true);
  });
});
