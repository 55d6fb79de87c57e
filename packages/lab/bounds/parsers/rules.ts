/** What each place demands of its parsers, and the memory that it declares for them. */

import { payloadLimits } from '../../../../core/limits.ts';
import { STREAM_COPIES } from '../../../../ingress/answers.ts';
import { AT_ONCE } from '../../../console/reading/read.ts';
import { MAX_RATIO, type Measured } from './measure.ts';
import type { Parser, Place } from './parser.ts';

const MB = 1_024 * 1_024;

/** Longest block of the event loop, in milliseconds of processor time. */
export const maxBlock = { ingress: 50, agent: 500, console: 100 } as const;

/** Processor time in milliseconds that is too short to compare. */
const SHORT = 20;

/** Memory of a function (`lib/constructs/function.ts`) without that of Node.js and of the bundle, in bytes. */
const FUNCTION_MEMORY = (512 - 128) * MB;

/**
 * Bytes that a parser may need beside its input: in the ingress, the copies that it counts for an output. The agent shares the memory of its task with the user's container; the
 * page declares none.
 */
export const memoryOf: Readonly<Record<Place, number>> = {
  ingress: STREAM_COPIES * payloadLimits.output,
  agent: 8 * payloadLimits.output,
  function: FUNCTION_MEMORY,
  console: Number.POSITIVE_INFINITY,
};

const rounded = (milliseconds: number) => milliseconds.toFixed(1);

/**
 * Returns what the figures of a parser violate, as sentences. The time of a parser that gives its text to a worker is
 * mostly a wait.
 */
export function violationsOf(place: Place, parser: Parser, figures: Measured): string[] {
  const { block, half, whole, memory, asked = 0 } = figures;
  const limit = place === 'function' ? undefined : maxBlock[place];
  const mayBlock = place === 'console' && (parser.size <= AT_ONCE || parser.thread === 'worker');
  const maxMemory = parser.memory ?? memoryOf[place];
  return [
    ...(place === 'console' && !mayBlock && asked === 0
      ? [`takes ${parser.size} characters outside the worker; at most ${AT_ONCE} are allowed`]
      : []),
    ...(limit !== undefined && !mayBlock && block > limit
      ? [`blocks for ${rounded(block)} ms; at most ${limit} are allowed`]
      : []),
    ...(asked === 0 && whole > SHORT && whole > MAX_RATIO * half
      ? [`takes ${rounded(half)} ms for half of the input and ${rounded(whole)} ms for all of it, which is not linear`]
      : []),
    ...(memory > maxMemory
      ? [`needs ${Math.ceil(memory / MB)} MB; at most ${Math.floor(maxMemory / MB)} are allowed`]
      : []),
  ];
}
