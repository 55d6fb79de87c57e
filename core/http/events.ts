/** Sends server-sent events as bytes, with comments of its own where the worker is silent. */
import { KEEP_ALIVE } from '../limits.ts';
import { LAST_EVENT } from '../openai/result.ts';
import { endsWithin } from './body.ts';

/** Characters at the end of a text that show whether an event or a line is complete. */
const TAIL = 64;

const COMMENT = ': waiting';

/** The last characters of a stream of events. */
class Tail {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text.slice(-TAIL)).slice(-TAIL);
  }

  /** The line ends that complete the present event. */
  get separator(): string {
    const text = this.#text.replaceAll('\r\n', '\n');
    if (text === '' || text.endsWith('\n\n')) return '';
    return text.endsWith('\n') ? '\n' : '\n\n';
  }

  /** A comment, which may stand within an event but not within a line; undefined in the middle of a line. */
  get comment(): string | undefined {
    const { separator } = this;
    if (separator === '\n\n') return undefined;
    return separator === '' ? `${COMMENT}\n\n` : `${COMMENT}\n`;
  }

  get isDone(): boolean {
    return LAST_EVENT.test(this.#text.replaceAll('\r\n', '\n'));
  }
}

/** Iterates over the texts once they are ready. */
async function* follow(texts: Promise<AsyncIterableIterator<string>>): AsyncGenerator<string, void> {
  yield* await texts;
}

/**
 * Yields each text as soon as it is ready, and a comment if none was for `KEEP_ALIVE`. It ends with `[DONE]`, or with
 * the event of an error.
 * @param texts parts of a stream of events, as the worker's server has written them
 * @param lateError JSON text of an error that comes after the status
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
    // Not awaited: the client may have left.
    void rest.return().catch(() => undefined);
  }
}
