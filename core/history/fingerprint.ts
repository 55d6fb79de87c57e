/** Shortens errors to one line, and groups lines that differ only by numbers and ids. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { historyLimits } from './limits.ts';

/** The error that RunPod's SDK reports for an exception: JSON text. */
const exceptionSchema = z.object({ error_type: z.string(), error_message: z.string() });

/** A class as Python prints it, such as `<class 'ValueError'>`. */
const CLASS = /^<class '(?<name>[^']+)'>$/;

function exceptionIn(error: string): string | undefined {
  if (!error.startsWith('{')) return undefined;
  try {
    const { data } = z.safeParse(exceptionSchema, JSON.parse(error));
    return data && `${CLASS.exec(data.error_type)?.groups?.name ?? data.error_type}: ${data.error_message}`;
  } catch {
    return undefined;
  }
}

const TRACEBACK = 'Traceback (most recent call last)';

/** Returns the text up to the bytes, without half a character. */
export const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true }).toWellFormed();

/**
 * Returns the first line of an error, at most `historyLimits.error` bytes: of an exception its class and message, and of
 * a traceback its last line, which names the exception.
 */
export function errorLine(error: string): string {
  const lines = (exceptionIn(error) ?? error)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines[0]?.startsWith(TRACEBACK) ? lines.at(-1) : lines[0];
  return cut(line ?? '', historyLimits.error);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Minimum length of a word with digits that counts as an id. */
const ID_LENGTH = 8;

function withoutNumbers(word: string): string {
  if (!/\d/.test(word)) return word;
  return word.length >= ID_LENGTH || /^[0-9a-f]+$/i.test(word) ? '#' : word.replaceAll(/\d+/g, '#');
}

/**
 * Returns the fingerprint of an error: equal for errors with the same code whose lines differ only by numbers and ids.
 * @param line as `errorLine` returns it
 * @returns 12 hexadecimal digits
 */
export function fingerprintOf(code: string, line: string): string {
  const words = line.replaceAll(UUID, '#').split(/(\W+)/);
  const text = words.map(withoutNumbers).join('');
  return createHash('sha256').update(`${code}\n${text}`).digest('hex').slice(0, historyLimits.fingerprint);
}
