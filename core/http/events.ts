/** Sends server-sent events as bytes, and comments while the worker sends nothing. */
import { endsWithin } from '../clock.ts';
import { KEEP_ALIVE } from '../limits.ts';
import { LAST_EVENT } from '../openai/event-text.ts';

/** Number of characters at the end of a stream that show whether an event or a line is complete. */
const TAIL = 64;

const COMMENT = ': waiting';

/** The last characters of a stream of events. */
class Tail {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text.slice(-TAIL)).slice(-TAIL);
  }

  /** The line ends that complete the current event. */
  get separator(): string {
    const text = this.#text.replaceAll('\r\n', '\n');
    if (text === '' || text.endsWith('\n\n')) return '';
    return text.endsWith('\n') ? '\n' : '\n\n';
  }

  /** A comment, which is allowed within an event but not within a line; undefined in the middle of a line. */
  get comment(): string | undefined {
    const { separator } = this;
    if (separator === '\n\n') return undefined;
    return separator === '' ? `${COMMENT}\n\n` : `${COMMENT}\n`;
  }

  get isDone(): boolean {
    return LAST_EVENT.test(this.#text.replaceAll('\r\n', '\n'));
  }
}

/** Yields the texts after the promise resolves. */
async function* follow(texts: Promise<AsyncIterableIterator<string>>): AsyncGenerator<string, void> {
  yield* await texts;
}

/**
 * Yields each text as soon as it is ready, and a comment after each `KEEP_ALIVE` without a text. The last event is
 * `[DONE]` or an error.
 * @param texts parts of the event stream that the worker's server wrote
 * @param lateError returns the JSON text of an error that occurs after the status was sent
 */
export async function* eventBytes(
  texts: Promise<AsyncIterableIterator<string>>,
  lateError: (error: unknown) => string,
): AsyncGenerator<Uint8Array, void> {
  const tail = new Tail();
  const rest = follow(texts);
  try {
    for (;;) {
      const next = rest.next();
      while (!(await endsWithin(KEEP_ALIVE, next))) {
        const { comment } = tail;
        if (comment !== undefined) yield Buffer.from(comment);
      }
      const { done, value } = await next;
      if (done) break;
      tail.add(value);
      yield Buffer.from(value);
    }
    if (!tail.isDone) yield Buffer.from(`${tail.separator}data: [DONE]\n\n`);
  } catch (error) {
    yield Buffer.from(`${tail.separator}data: ${lateError(error)}\n\n`);
  } finally {
    // Do not await the end of the stream, because the client might have disconnected.
    void rest.return().catch(() => undefined);
  }
}
