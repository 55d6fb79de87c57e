import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { textOf } from '../../core/http/text.ts';

describe('the text of a body', () => {
  it('contains characters whose bytes arrive in two pieces, and no byte order mark', async () => {
    const bytes = Buffer.from('\u{feff}{"price":"5 €"}');
    const cut = bytes.length - 4;
    expect(await textOf(Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]))).toBe('{"price":"5 €"}');
  });

  it('fails if the body closes before its end', async () => {
    const body = new Readable({ read: () => undefined });
    const text = textOf(body);
    body.push('some');
    body.destroy();
    await expect(text).rejects.toThrow('A body closed before its end.');
  });
});
