/** Splits a streamed response into chunks, each a JSON string. */
import { createParser } from 'eventsource-parser';
import { scanSlices } from '../../core/json/scan.ts';
import { inSlices } from '../../core/json/slices.ts';
import { payloadLimits } from '../../core/limits.ts';
import { UnusableAnswer } from './request.ts';

const MAX_LENGTH = payloadLimits.output;
/** The last event of a server that streams in the format of OpenAI. */
const DONE = '[DONE]';

/**
 * Checks the text. The values of a large text would take many times its memory, so it is only scanned, with pauses.
 * @throws Error if the text is not JSON
 */
async function assertJson(text: string): Promise<void> {
  if (text.length <= payloadLimits.field) JSON.parse(text);
  else await inSlices(text.length, () => scanSlices(Buffer.from(text), () => undefined));
}

/**
 * Checks that a text is JSON.
 * @returns the text unchanged, without the space around it
 * @throws UnusableAnswer if the text is not JSON
 */
export async function jsonFrom(text: string, what: string): Promise<string> {
  try {
    await assertJson(text);
  } catch (error) {
    throw new UnusableAnswer(`sent ${what} that is not JSON: ${(error as Error).message}`, { cause: error });
  }
  return text.trim();
}

interface Line {
  readonly line: string;
  /** From 1. */
  readonly number: number;
}

/** Yields lines that are not empty. `node:readline` would also split at U+2028, which JSON may contain. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = '';
  let number = 1;
  for await (const piece of pieces) {
    let start = 0;
    // `split` would make as many strings as a piece has characters.
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      line += piece.slice(start, end);
      if (line.trim() !== '') yield { line, number };
      line = '';
      number += 1;
      start = end + 1;
    }
    line += piece.slice(start);
    if (line.length > MAX_LENGTH) throw new UnusableAnswer(`sent a line of more than ${MAX_LENGTH} characters`);
  }
  if (line.trim() !== '') yield { line, number };
}

/** Yields the lines that are not empty, each a JSON string. */
export async function* jsonLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const { line, number } of linesOf(pieces)) yield await jsonFrom(line, `a line, number ${number},`);
}

async function chunkOf(data: string): Promise<string> {
  try {
    await assertJson(data);
    return data;
  } catch {
    return JSON.stringify(data);
  }
}

/** Yields the data of server-sent events, up to `[DONE]`: JSON unchanged, anything else as a JSON string. */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    maxBufferSize: MAX_LENGTH,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded')
        throw new UnusableAnswer(`sent an event of more than ${MAX_LENGTH} characters`);
    },
  });

  function* next(text: string): Generator<string> {
    parser.feed(text);
    yield* events.splice(0);
  }

  async function* all(): AsyncGenerator<string> {
    for await (const piece of pieces) yield* next(piece);
    // A server may stop without the empty line that ends an event.
    yield* next('\n\n');
  }

  for await (const data of all()) {
    if (data === DONE) return;
    yield await chunkOf(data);
  }
}
