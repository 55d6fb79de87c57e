/** Reads the record of a job. */
import { childrenOf, type Part, valuesIn } from '../json/scan.ts';

export interface JobParts {
  /** Parsed members, without the output. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Where the output is in the record; undefined if there is none. */
  readonly output?: Part;
}

/** @throws JsonSyntaxError */
export function partsOfJob(text: string): JobParts {
  const { output, ...rest } = Object.fromEntries(valuesIn(text, childrenOf(text)));
  const head = Object.entries(rest).map(([name, { start, end }]) => [name, JSON.parse(text.slice(start, end))]);
  return { head: Object.fromEntries(head), ...(output && { output }) };
}
