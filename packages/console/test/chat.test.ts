import { describe, expect, it } from '@jest/globals';
import { ApiError, errorOf } from '../api/error.ts';
import { answerIn, chatBody, isLanguageModel, messagesOf } from '../playground/chat.ts';

const encoder = new TextEncoder();

/** A response whose body arrives in these parts. */
const events = (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part);
        controller.close();
      },
    }),
    { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  );

const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

const piecesIn = (response: Response) => Array.fromAsync(answerIn(response));

describe('the answer of a language model', () => {
  it('arrives in pieces, also if the network splits them', async () => {
    const bytes = encoder.encode(piece('sky é 😀'));
    const response = events(
      piece('Blue '),
      bytes.slice(0, 45),
      bytes.slice(45),
      ': ping\n\n',
      'data: [DONE]\n\n',
      'data: x',
    );
    expect(await piecesIn(response)).toEqual(['Blue ', 'sky é 😀']);
  });

  it('has no text in pieces with a role or the use of tokens', async () => {
    const other = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\r\n\r\ndata: {"choices":[],"usage":{}}\r\n\r\n';
    expect((await piecesIn(events(other, piece('a')))).join('')).toBe('a');
  });

  it('is read as a whole from a server that does not stream', async () => {
    expect(await piecesIn(Response.json({ choices: [{ message: { content: 'Blue.' } }] }))).toEqual(['Blue.']);
  });

  it('fails with the error that the worker reports in the stream', async () => {
    await expect(piecesIn(events(piece('a'), 'data: {"error":{"message":"CUDA out of memory"}}\n\n'))).rejects.toThrow(
      'CUDA out of memory',
    );
  });

  it('fails if an event does not end', async () => {
    await expect(piecesIn(events(piece('a'), `data: ${'x'.repeat(1_000_000)}`))).rejects.toThrow('more than 1 MB');
  });

  it('fails with the message of an error in the format of OpenAI', async () => {
    const response = Response.json({ error: { message: 'No model.', code: 'model_not_found' } }, { status: 404 });
    const error = await errorOf(response, async () => true);
    expect(error).toBeInstanceOf(ApiError);
    expect([error.message, error.code, error.status]).toEqual(['No model.', 'model_not_found', 404]);
  });
});

describe('a chat', () => {
  it('sends the instructions, what was said, and what is typed', () => {
    const said = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ] as const;
    const messages = messagesOf({ model: '', system: ' Be short. ', message: 'c\n' }, said);
    expect(JSON.parse(chatBody('m', messages, true))).toEqual({
      model: 'm',
      messages: [{ role: 'system', content: 'Be short.' }, ...said, { role: 'user', content: 'c' }],
      stream: true,
    });
    expect(messagesOf({ model: '', system: '', message: '' }, said)).toEqual(said);
  });

  it.each([
    ['vllm/vllm-openai:v0.23.0', true],
    ['runpod/worker-v1-vllm:v2.7.0', true],
    ['ghcr.io/ggml-org/llama.cpp:server-cuda', true],
    ['lmsysorg/sglang:latest', true],
    ['team/sdxl:1', false],
  ])('is where the playground of the image %s begins: %p', (image, isChat) => {
    expect(isLanguageModel({ image })).toBe(isChat);
  });

  it('is where the playground begins if an example has messages', () => {
    expect(isLanguageModel({ image: 'team/own:1', examples: [{ name: 'Chat', input: { messages: [] } }] })).toBe(true);
    expect(isLanguageModel({ examples: [{ name: 'Image', input: { prompt: 'a cat' } }] })).toBe(false);
  });
});
