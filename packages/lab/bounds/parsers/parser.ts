/** A parser of bytes that clients, workers or AWS send, with the input that takes it the most time. */

/** Where a parser runs, which determines how long it may block. */
export type Place = 'ingress' | 'agent' | 'function' | 'console';

export interface Parser {
  /** What it parses, unique within its place. */
  readonly parses: string;
  /** File of the parser. */
  readonly file: string;
  /** The worst input. */
  readonly worst: string;
  /** Size of the largest input in bytes or characters, and the rule that limits it. */
  readonly size: number;
  readonly limit: string;
  /**
   * Creates an input of about this size, and returns a function that parses it. The function may throw: a refused
   * input is an input.
   */
  readonly prepare: (size: number) => Promise<() => unknown>;
  /**
   * Memory in bytes that the parser may need beside its input.
   * @default - `memoryOf` its place
   */
  readonly memory?: number;
  /**
   * Where a parser of the console runs.
   * @default - on the page
   */
  readonly thread?: 'page' | 'worker';
  /**
   * Returns the number of requests that the page has sent to its worker.
   * @default - none
   */
  readonly asked?: () => number;
}

/** Repeats the text to about this size. */
export const repeated = (unit: string, size: number): string => unit.repeat(Math.floor(size / unit.length));

/** Repeats the text between a beginning and an end, to about this size. */
export const between = (before: string, unit: string, after: string, size: number): string =>
  before + repeated(unit, Math.max(0, size - before.length - after.length)) + after;

/** Returns a parser of a text. */
export const ofText = (
  parses: string,
  file: string,
  limits: Pick<Parser, 'size' | 'limit'>,
  worst: string,
  make: (size: number) => string,
  parse: (text: string) => unknown,
): Parser => ({
  parses,
  file,
  worst,
  ...limits,
  prepare: async (size) => {
    const text = make(size);
    return () => parse(text);
  },
});
