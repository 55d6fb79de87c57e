/** Splits the output of a program into the lines of its log. */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Number of characters after which the log driver of ECS splits a line. */
const MAX_LINE_LENGTH = 256 * 1024 - 26;

/** @param print receives each line without its end */
export function eachLine(output: Readable, print: (line: string) => void): void {
  const decoder = new StringDecoder();
  let rest = '';
  // The driver skips empty lines.
  const printLine = (line: string) => {
    for (let at = 0; at < line.length; at += MAX_LINE_LENGTH) print(line.slice(at, at + MAX_LINE_LENGTH));
  };
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) printLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    for (; rest.length >= MAX_LINE_LENGTH; rest = rest.slice(MAX_LINE_LENGTH)) print(rest.slice(0, MAX_LINE_LENGTH));
  });
  output.on('end', () => printLine(rest + decoder.end()));
}
