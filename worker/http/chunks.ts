/** Splits a streamed response into chunks, each a JSON string. */
import { createParser } from 'eventsource-parser';
import { payloadLimits } from '../../core/limits.ts';
import { UnusableAnswer } from './request.ts';

const LONGEST = payloadLimits.output;
/** The last event of a server that streams in the format of OpenAI. */
const DONE = '[DONE]';

/** @returns the text unchanged, without the space around it @throws UnusableAnswer if the text is not JSON */
export function jsonFrom(text: string, what: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UnusableAnswer(`sent ${what} that is not JSON: ${(error as SyntaxError).message}`);
  }
  return text.trim();
}

/** Yields lines. `node:readline` would also split at U+2028, which JSON may contain. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let line = '';
  for await (const piece of pieces) {
    const [end = '', ...others] = piece.split('\n');
    line += end;
    for (const next of others) {
      yield line;
      line = next;
    }
    if (line.length > LONGEST) throw new UnusableAnswer(`sent a line of more than ${LONGEST} characters`);
  }
  yield line;
}

/** Yields the lines that are not empty, each a JSON string. */
export async function* jsonLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of linesOf(pieces)) {
    number += 1;
    if (line.trim() !== '') yield jsonFrom(line, `a line, number ${number},`);
  }
}

function chunkOf(data: string): string {
  try {
    JSON.parse(data);
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
    maxBufferSize: LONGEST,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded')
        throw new UnusableAnswer(`sent an event of more than ${LONGEST} characters`);
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
    yield chunkOf(data);
  }
}
