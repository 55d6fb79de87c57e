/** Bodies of responses that are sent as they come: an answer as bytes, or spaces until there is one. */
import { HEADERS_AFTER, KEEP_ALIVE } from '../limits.ts';

type Pieces = readonly Uint8Array[];

/** @returns whether the work has ended, well or not, within so many milliseconds */
export async function endsWithin(limit: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), limit);
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/** JSON may have spaces before it: they tell everybody on the way that the response is still to come. */
async function* afterSpaces(answer: Promise<Pieces>): AsyncGenerator<Uint8Array> {
  while (!(await endsWithin(KEEP_ALIVE, answer))) yield Buffer.from(' ');
  yield* await answer;
}

/**
 * The answer if it comes within `HEADERS_AFTER`, otherwise a body that begins without it.
 * @param lateError what to write in its place when it fails after that
 * @param mustWait while true, the body does not begin without the answer, whatever the time
 * @throws what it fails with before
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
 * The pieces as they come.
 * @throws what fails before the first
 */
export async function bodyInPieces(pieces: AsyncIterable<string>): Promise<AsyncIterable<Uint8Array>> {
  const iterator: AsyncIterator<string, void> = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return inBytes(first.done ? '' : first.value, iterator);
}
