import { describe, expect, it } from '@jest/globals';
import { chunksIn, outputsOf, streamFile, streamLines, streamText, textOf } from '../job/chunks.ts';

const metrics = '{"stream_index":0,"running":1}';
const chunk = (output: string, rest = '') => `{"output":${output},"metrics":${metrics}${rest}}`;

/** Returns the chunks of a response as text. */
function chunksOf(text: string): string {
  const { start, end } = chunksIn(text);
  return text.slice(start, end);
}

describe('the chunks of a stream', () => {
  it('are read from an array and from the envelope', () => {
    const array = `[${chunk('{"n": 9007199254740993}')} , ${chunk('"b"')}]`;
    for (const text of [array, ` {"status":"IN_PROGRESS","stream": ${array}}`]) {
      expect(chunksIn(text)).toMatchObject({ count: 2 });
      expect(outputsOf(chunksOf(text))).toEqual(['{"n": 9007199254740993}', '"b"']);
    }
    expect(chunksIn('[]')).toMatchObject({ count: 0 });
    expect(outputsOf(chunksOf('[ ]'))).toEqual([]);
  });

  it('are an error if the service failed after it had sent the status', () => {
    expect(chunksIn('{"error":"The service failed.","requestId":"r"}')).toMatchObject({ error: 'The service failed.' });
  });

  it('are joined if an output was split as text', () => {
    const cut = [chunk('"{\\"a\\":"', ',"part":1,"parts":2'), chunk('"1}"', ',"part":2,"parts":2'), chunk('2')];
    expect(outputsOf(cut.join())).toEqual(['{"a":1}', '2']);
  });

  it('are shown as text if all of them are tokens, and as chunks otherwise', () => {
    const tokens = [chunk('"Hel\\nlo"'), chunk('"!"')].join();
    expect(streamLines(tokens, 'text')).toEqual({ count: 2, isText: true, lines: ['Hel', 'lo!'] });
    expect(streamLines(tokens, 'chunks')).toEqual({ count: 2, isText: true, lines: ['0  "Hel\\nlo"', '1  "!"'] });
    expect(streamFile(tokens, 'text')).toBe('Hel\nlo!');
    expect(streamFile(tokens, 'chunks')).toBe('[\n"Hel\\nlo",\n"!"\n]\n');
    const mixed = [chunk('"a"'), chunk('{"step":1}')].join();
    expect(streamLines(mixed, 'text')).toEqual({ count: 2, isText: false, lines: ['0  "a"', '1  {"step":1}'] });
    expect(streamFile(mixed, 'text')).toBe('[\n"a",\n{"step":1}\n]\n');
  });
});

describe('the text of tokens', () => {
  it.each([
    ['a string', '"Hel\\u006co"', 'Hello'],
    ['a `text` member', '{"text":"Hello"}', 'Hello'],
    ['a `token` member', '{"token":"Hello","id":1}', 'Hello'],
    ['tokens of vLLM', '{"choices":[{"tokens":["Hel","lo"]}],"usage":{}}', 'Hello'],
    ['a completion', '{"choices":[{"text":"Hello"}]}', 'Hello'],
    ['a chat', '{"choices":[{"delta":{"content":"Hello"}}]}', 'Hello'],
    ['the end of a chat', '{"choices":[{"delta":{}}]}', ''],
    [
      'events of OpenAI',
      JSON.stringify(
        'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"text":"lo"}]}\n\ndata: [DONE]\n',
      ),
      'Hello',
    ],
    ['a text that begins like an event', '"data:text/html,Hello"', 'data:text/html,Hello'],
  ])('is read from %s', (_, output, text) => {
    expect(textOf(output)).toBe(text);
  });

  it('is read only if all outputs are tokens', () => {
    expect(streamText(['"a"', '{"text":"b"}'])).toBe('ab');
    expect(streamText(['"a"', '{"step":1}'])).toBeUndefined();
    expect(streamText(['[1]'])).toBeUndefined();
    expect(streamText([])).toBeUndefined();
  });
});
