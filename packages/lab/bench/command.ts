/**
 * The common parts of the benchmarks: their flags (`npm run bench -w packages/lab -- NAME --flag`), their progress and
 * their exit.
 */
export { readFlags, runCommand } from '../../../bin/flags.ts';

/** @throws Error unless the value of the flag is a whole number from `min` to `max` */
export function numberFrom(flag: string, text: string, max: number, min = 1): number {
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new Error(`--${flag} must be a whole number from ${min} to ${max}, got ${text}.`);
}

/** Writes a progress line to standard error, because standard output contains only the figures. */
export const report = (text: string): void => void process.stderr.write(`${text}\n`);
