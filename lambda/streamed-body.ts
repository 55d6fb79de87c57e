/** Bodies of streamed responses: a text as bytes, or spaces until there is one. */
import { Readable } from 'node:stream';
import { HEADERS_AFTER, KEEP_ALIVE } from '../core/limits.ts';

/**
 * A text as a stream. In bytes, because middy cuts a longer string into pieces of 16,384 UTF-16 units, wherever they
 * end, and a character that is cut in two is lost.
 */
export const bytes = (text: string): Readable => Readable.from(Buffer.from(text));

/** @returns whether the work has ended, well or not, within so many milliseconds */
async function endsWithin(limit: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), limit);
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/** JSON may have spaces before it: they tell everybody on the way that the response is still to come. */
async function* afterSpaces(text: Promise<string>): AsyncGenerator<Buffer> {
  while (!(await endsWithin(KEEP_ALIVE, text))) yield Buffer.from(' ');
  yield Buffer.from(await text);
}

/**
 * The text if it is there in `HEADERS_AFTER`, otherwise a body that begins without it.
 * @param lateError what to write in its place when it fails after that
 * @param mustWait while true, the body does not begin without the text, whatever the time
 * @throws what it fails with before
 */
export async function bodyInTime(
  text: Promise<string>,
  lateError: (error: unknown) => string,
  mustWait: () => boolean,
): Promise<Readable> {
  do {
    if (await endsWithin(HEADERS_AFTER, text)) return bytes(await text);
  } while (mustWait());
  return Readable.from(afterSpaces(text.catch(lateError)));
}

async function* inBytes(first: string, rest: AsyncIterator<string, void>): AsyncGenerator<Buffer> {
  yield Buffer.from(first);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield Buffer.from(next.value);
}

/**
 * The pieces as they come.
 * @throws what fails before the first
 */
export async function bodyInPieces(pieces: AsyncIterable<string>): Promise<Readable> {
  const iterator: AsyncIterator<string, void> = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return Readable.from(inBytes(first.done ? '' : first.value, iterator));
}
