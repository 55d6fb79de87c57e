/** Progress of what is long: one line that changes on a terminal, a line for each change elsewhere. */
import { widthOf } from './print.ts';

export interface Progress {
  /**
   * Shows the text in place of the one before.
   * @param what the part that decides whether the text is new where lines cannot change
   */
  show(text: string, what: string): void;
  /** Removes the line, so that the result begins at the left. */
  end(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let last = '';
  return {
    show(text, what) {
      const width = widthOf(stream);
      if (width !== undefined) stream.write(`\r\u001b[2K${text.slice(0, Math.max(1, width - 1))}`);
      else if (what !== last) stream.write(`${text}\n`);
      last = what;
    },
    end() {
      if (stream.isTTY && last !== '') stream.write('\r\u001b[2K');
      last = '';
    },
  };
}
