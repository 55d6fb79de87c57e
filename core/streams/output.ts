/** The output of a job that has ended without one: the chunks that its worker would have returned. */
import { setImmediate } from 'node:timers/promises';
import type { AnswerMemory } from '../http/answer-memory.ts';
import type { Job } from '../jobs/job.ts';
import { loadBytes } from '../jobs/payload.ts';
import { JsonText } from '../json/json.ts';
import { payloadLimits } from '../limits.ts';
import { type ChunkPorts, PIECE, validChunks } from './read.ts';
import type { ListedChunk } from './store.ts';

/**
 * `answerMemory` counts the output.
 * @default - the process has one call at a time and counts nothing
 */
export type StreamedOutputPorts = ChunkPorts & { readonly answerMemory?: AnswerMemory };

/** Maximum number of values of the array: the items of many small chunks are many times larger than the array. */
export const MAX_OUTPUT_VALUES = 100_000;

/** Number of chunks in objects that are loaded at the same time. */
const OBJECTS_AT_ONCE = 8;

type Output = string | Uint8Array;

/** Returns the text of a part, which is a JSON string. */
const textOfPart = (output: Output): Uint8Array =>
  Buffer.from(String(JSON.parse(typeof output === 'string' ? output : Buffer.from(output).toString())));

/** Joins the values of chunks to a JSON array, in pieces. Joins the parts of a value that was split as text first. */
class OutputArray {
  /** Bytes of the array. */
  #complete = '[]'.length;
  /** Bytes of the parts of an incomplete value. */
  #incomplete = 0;
  readonly #pieces: Uint8Array[] = [];
  /** The end of the array, which is not in a piece yet. */
  #text = '';
  #count = 0;
  /** The parts of an incomplete value. */
  #parts: Output[] = [];

  /** Bytes that this object has in memory. */
  get size(): number {
    return this.#complete + this.#incomplete;
  }

  /**
   * Adds a chunk to the array.
   * @returns false if the array or the value is too large, or the chunk is not the next part of its value
   */
  add({ part = 1, parts = 1 }: ListedChunk['chunk'], output: Output): boolean {
    if (part !== this.#parts.length + 1) return false;
    const text = parts === 1 ? output : textOfPart(output);
    this.#parts.push(text);
    this.#incomplete += Buffer.byteLength(text);
    if (part === parts) this.#endValue();
    const largest = Math.max(this.#complete, this.#incomplete);
    return largest <= payloadLimits.output && this.#count <= MAX_OUTPUT_VALUES;
  }

  /** Returns the array without an incomplete value, or undefined if it is empty. No chunk can follow. */
  end(): JsonText | undefined {
    return this.#count === 0 ? undefined : new JsonText([...this.#pieces, `${this.#text}]`]);
  }

  #endValue(): void {
    this.#complete += this.#incomplete + (this.#count === 0 ? 0 : ','.length);
    this.#incomplete = 0;
    this.#text += this.#count === 0 ? '[' : ',';
    for (const part of this.#parts)
      if (typeof part === 'string') this.#text += part;
      else this.#flush(part);
    if (this.#text.length >= PIECE) this.#flush();
    this.#parts = [];
    this.#count += 1;
  }

  #flush(...next: readonly Uint8Array[]): void {
    this.#pieces.push(Buffer.from(this.#text), ...next);
    this.#text = '';
  }
}

/** Chunks whose outputs are loaded at the same time. */
interface Batch {
  readonly chunks: readonly ListedChunk[];
  /** Maximum bytes of the outputs. */
  readonly bytes: number;
}

async function* batchesOf(listed: AsyncIterable<ListedChunk>): AsyncGenerator<Batch> {
  let chunks: ListedChunk[] = [];
  let [objects, inline] = [0, 0];
  for await (const each of listed) {
    chunks.push(each);
    const { output } = each.chunk;
    if ('inline' in output) inline += Buffer.byteLength(output.inline);
    else objects += 1;
    if (objects < OBJECTS_AT_ONCE && inline < PIECE) continue;
    yield { chunks, bytes: inline + objects * payloadLimits.chunk };
    chunks = [];
    [objects, inline] = [0, 0];
  }
  yield { chunks, bytes: inline + objects * payloadLimits.chunk };
}

/** Returns whether the job has ended without an output, and its worker returns the chunks of a job as its output. */
function hasOnlyChunks(job: Job): boolean {
  if (!('aggregates' in job) || !job.aggregates) return false;
  if (job.status === 'FAILED') return job.output === undefined && job.code !== 'OUTPUT_TOO_LARGE';
  return job.status === 'CANCELLED' || job.status === 'TIMED_OUT';
}

/**
 * Returns the output of a CANCELLED, FAILED or TIMED_OUT job whose worker returns the chunks of a job as its output.
 *
 * Input: the job. Output: the JSON array of the values of its valid chunks. A string or array of more than 1 MB appears
 * as several values. Undefined for any other job, for a job with an output of its own, without a chunk, if a part of a
 * value is missing, and if the array would have more than `payloadLimits.output` bytes or `MAX_OUTPUT_VALUES` values.
 */
export async function streamedOutput(ports: StreamedOutputPorts, job: Job): Promise<JsonText | undefined> {
  if (!hasOnlyChunks(job)) return undefined;
  const array = new OutputArray();
  for await (const { chunks, bytes } of batchesOf(validChunks(ports, job, 0))) {
    await ports.answerMemory?.hold(array.size + bytes);
    const load = ({ chunk }: ListedChunk) => loadBytes(ports, job, chunk.output, payloadLimits.chunk);
    const outputs = await Promise.all(chunks.map(load));
    for (const [n, { chunk }] of chunks.entries()) {
      if (!array.add(chunk, outputs[n] ?? '')) return undefined;
      // A value of 1 MB is parsed and copied in milliseconds. Other calls run in between.
      if ('object' in chunk.output) await setImmediate();
    }
  }
  return array.end();
}
