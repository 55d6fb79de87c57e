/** Streams bodies of responses: spaces until the answer is ready, then its bytes. */
import { endsWithin } from '../clock.ts';
import { HEADERS_AFTER, KEEP_ALIVE } from '../limits.ts';

type Pieces = readonly Uint8Array[];

/** Sends spaces until the answer is ready. They keep the connection open, and JSON can begin with spaces. */
async function* afterSpaces(answer: Promise<Pieces>): AsyncGenerator<Uint8Array> {
  while (!(await endsWithin(KEEP_ALIVE, answer))) yield Buffer.from(' ');
  yield* await answer;
}

/**
 * Returns the answer if it is ready within `HEADERS_AFTER`, otherwise a body that begins with spaces.
 * @param lateError returns the body of an error that occurs after the body has begun
 * @param mustWait while it returns true, no body begins before the answer is ready
 * @throws the error of the answer, if it occurs before the body begins
 */
export async function bodyInTime(
  answer: Promise<Pieces>,
  lateError: (error: unknown) => Pieces,
  mustWait: () => boolean,
): Promise<Pieces | AsyncIterable<Uint8Array>> {
  do {
    if (await endsWithin(HEADERS_AFTER, answer)) return await answer;
  } while (mustWait());
  return afterSpaces(answer.catch(lateError));
}

async function* inBytes(first: string, rest: AsyncIterator<string, void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(first);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield Buffer.from(next.value);
}

/**
 * Yields each piece as bytes as soon as it is ready.
 * @throws the error of the first piece
 */
export async function bodyInPieces(pieces: AsyncIterable<string>): Promise<AsyncIterable<Uint8Array>> {
  const iterator: AsyncIterator<string, void> = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return inBytes(first.done ? '' : first.value, iterator);
}
