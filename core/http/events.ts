/** Server-sent events as bytes, and what may be said between events that others have written. */
import { KEEP_ALIVE } from '../limits.ts';
import { LAST_EVENT } from '../openai/result.ts';
import { endsWithin } from './body.ts';

/** Characters of the end of a text that say where the next one begins. */
const TAIL = 64;

const COMMENT = ': waiting';

/** The end of what was written of a stream of events. */
class Tail {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text.slice(-TAIL)).slice(-TAIL);
  }

  /** What ends the event that was begun. */
  get separator(): string {
    const text = this.#text.replaceAll('\r\n', '\n');
    if (text === '' || text.endsWith('\n\n')) return '';
    return text.endsWith('\n') ? '\n' : '\n\n';
  }

  /** A comment, which changes nothing of an event that was begun; none can be in the middle of a line. */
  get comment(): string | undefined {
    const { separator } = this;
    if (separator === '\n\n') return undefined;
    return separator === '' ? `${COMMENT}\n\n` : `${COMMENT}\n`;
  }

  get isDone(): boolean {
    return LAST_EVENT.test(this.#text.replaceAll('\r\n', '\n'));
  }
}

/** The iterator, from when it is there. */
async function* follow(texts: Promise<AsyncIterableIterator<string>>): AsyncGenerator<string, void> {
  yield* await texts;
}

/**
 * Yields the texts as they come, with a comment where none has come for `KEEP_ALIVE`. It ends with `[DONE]`, or with the
 * event of an error.
 * @param texts parts of a stream of events, each as its server has written it
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
    // A client that has left waits for nothing.
    void rest.return().catch(() => undefined);
  }
}
