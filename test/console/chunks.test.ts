import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../console/api/error.ts';
import { chunksIn, outputsOf, streamText, textOf } from '../../console/job/chunks.ts';

const metrics = '{"stream_index":0,"running":1}';
const chunk = (output: string, rest = '') => `{"output":${output},"metrics":${metrics}${rest}}`;

describe('the chunks of a stream', () => {
  it('are read from an array and from the envelope', async () => {
    const array = `[${chunk('{"n": 9007199254740993}')},${chunk('"b"')}]`;
    const wanted = [{ output: '{"n": 9007199254740993}' }, { output: '"b"' }];
    expect(await chunksIn(array)).toEqual(wanted);
    expect(await chunksIn(`{"status":"IN_PROGRESS","stream":${array}}`)).toEqual(wanted);
  });

  it('are read as an error if the service failed after it had sent the status', async () => {
    await expect(chunksIn('{"error":"The service failed.","requestId":"r"}')).rejects.toThrow(ApiError);
  });

  it('are joined if an output was split as text', async () => {
    const cut = [chunk('"{\\"a\\":"', ',"part":1,"parts":2'), chunk('"1}"', ',"part":2,"parts":2'), chunk('2')];
    expect(outputsOf(await chunksIn(`[${cut.join()}]`))).toEqual(['{"a":1}', '2']);
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
