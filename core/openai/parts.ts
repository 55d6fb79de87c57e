/** Joins the parts of chunks that were split as text (`core/streams/chunk.ts`). */
import type { AnswerMemory } from '../http/answer-memory.ts';
import { payloadLimits } from '../limits.ts';
import type { ReadChunk } from '../streams/pack.ts';
import { JobError } from './error.ts';
import { eventOf } from './event-text.ts';

/** Maximum bytes of a character of a string in memory. */
const CHARACTER = 2;

const NONE: readonly string[] = [];

/** The parts of one output, which its worker has written in order. */
export class PartJoiner {
  readonly #job: string;
  readonly #memory: AnswerMemory | undefined;
  #texts: string[] = [];
  #length = 0;
  /** Number of parts of the current output. */
  #parts = 1;

  /**
   * @param job id of the job, for errors
   * @param memory counts the parts; by default, parts are not counted
   */
  constructor(job: string, memory?: AnswerMemory) {
    this.#job = job;
    this.#memory = memory;
  }

  /**
   * Adds a chunk.
   * @returns the texts of its event; none before the last part of its output
   * @throws JobError unless the chunk is the next part, and the output has an allowed size
   */
  async textsOf({ output, part = 1, parts = 1 }: ReadChunk): Promise<readonly string[]> {
    if (part !== this.#texts.length + 1 || (part > 1 && parts !== this.#parts))
      throw this.#malformed(`part ${part} of ${parts} follows part ${this.#texts.length} of ${this.#parts}`);
    if (parts === 1) return [eventOf(output)];
    if (part === 1) await this.#memory?.hold(CHARACTER * Math.min(parts * payloadLimits.chunk, payloadLimits.output));
    const text: unknown = JSON.parse(output);
    if (typeof text !== 'string') throw this.#malformed(`part ${part} of ${parts} is not a string`);
    this.#length += text.length;
    if (this.#length > payloadLimits.output)
      throw this.#malformed(`its parts have more than ${payloadLimits.output} characters`);
    this.#parts = parts;
    this.#texts.push(text);
    if (part < parts) return NONE;
    const texts = ['data: ', ...this.#texts, '\n\n'];
    this.#texts = [];
    this.#length = 0;
    return texts;
  }

  /**
   * Refuses a stream whose last output is incomplete.
   * @throws JobError
   */
  assertComplete(): void {
    if (this.#texts.length > 0) throw this.#malformed(`it ends after part ${this.#texts.length} of ${this.#parts}`);
  }

  #malformed(detail: string): JobError {
    const message = `The worker of job ${this.#job} has stored a stream that cannot be read: ${detail}.`;
    return new JobError(500, { message, type: 'server_error', param: null, code: 'WORKER_ERROR' }, { isFinal: true });
  }
}
