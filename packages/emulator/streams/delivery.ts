/** Delivers one batch to its target in the order of the records. Retries, splits and discards it as Lambda does. */
import * as z from 'zod/mini';
import { FunctionThrottled } from '../functions/call.ts';
import type { StreamRecord } from './record.ts';

export interface DeliveryOptions {
  readonly bisect: boolean;
  /** Maximum retries of a batch. */
  readonly retries: number;
  /** Age in milliseconds after which a record is discarded. */
  readonly maxAge: number;
  /** Whether the function reports which record failed. */
  readonly reportsFailures: boolean;
}

export interface Discarded {
  readonly records: readonly StreamRecord[];
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly invocations: number;
  /** Whether the function itself failed, as opposed to reporting failed records. */
  readonly functionError: boolean;
}

export interface DeliveryHost {
  /**
   * Calls the target.
   * @throws if the target fails
   */
  invoke(records: readonly StreamRecord[]): Promise<string>;
  /** Sends a message about discarded records. */
  discard(discarded: Discarded): Promise<void>;
  /** Sets the position up to which all records are handled. */
  pass(position: number): void;
  /** Milliseconds. */
  now(): number;
  pause(milliseconds: number, stop: AbortSignal): Promise<void>;
}

interface Work {
  readonly records: readonly StreamRecord[];
  readonly retries: number;
  readonly invocations: number;
  readonly functionError: boolean;
}

/** Pauses before another attempt, in milliseconds. */
const FIRST_PAUSE = 100;
const MAX_PAUSE = 10_000;
const THROTTLE_PAUSE = 1_000;

const responseSchema = z.nullable(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string() }))) }),
);

/** Returns the number of handled records in the batch, from the function's response. */
function doneBy(answer: string, records: readonly StreamRecord[]): number {
  const response = z.safeParse(responseSchema, JSON.parse(answer));
  if (!response.success) return 0;
  const failures = (response.data?.batchItemFailures ?? []).map(({ itemIdentifier }) =>
    records.findIndex(({ event }) => event.dynamodb.SequenceNumber === itemIdentifier),
  );
  // An unknown record fails the whole batch.
  return failures.length === 0 ? records.length : Math.max(0, Math.min(...failures));
}

/** Returns the next work after the records from `done` on have failed; undefined after all retries. */
function nextTries(work: Work, done: number, { bisect, retries }: DeliveryOptions): readonly Work[] | undefined {
  const left = work.records.slice(done);
  // A split is not a retry.
  if (bisect && done > 0) return [{ ...work, records: left }];
  if (bisect && left.length > 1) {
    const half = Math.ceil(left.length / 2);
    return [left.slice(0, half), left.slice(half)].map((records) => ({ ...work, records }));
  }
  return work.retries < retries ? [{ ...work, records: left, retries: work.retries + 1 }] : undefined;
}

/**
 * Delivers a batch. Returns when the target has handled every record, the rest was discarded, or the delivery must
 * stop.
 */
export async function deliver(
  batch: readonly StreamRecord[],
  options: DeliveryOptions,
  host: DeliveryHost,
  stop: AbortSignal,
): Promise<void> {
  const works: Work[] = [{ records: batch, retries: 0, invocations: 0, functionError: false }];
  const pass = (records: readonly StreamRecord[]) => {
    const last = records.at(-1);
    if (last) host.pass(last.position);
  };
  const giveUp = async (work: Work, condition: Discarded['condition']) => {
    const { records, invocations, functionError } = work;
    await host.discard({ records, condition, invocations, functionError });
    if (!stop.aborted) pass(records);
  };

  /**
   * Calls the target.
   * @returns undefined if the function was throttled, which does not count as an attempt
   */
  async function attempt(work: Work): Promise<{ done: number; tried: Work } | undefined> {
    const invocations = work.invocations + 1;
    try {
      const answer = await host.invoke(work.records);
      const done = options.reportsFailures ? doneBy(answer, work.records) : work.records.length;
      return { done, tried: { ...work, invocations, functionError: false } };
    } catch (error) {
      if (error instanceof FunctionThrottled) return undefined;
      // The function's own log contains the error.
      return { done: 0, tried: { ...work, invocations, functionError: true } };
    }
  }

  for (let work = works.shift(); work && !stop.aborted; work = works.shift()) {
    const youngest = work.records.findIndex(({ createdAt }) => host.now() - createdAt <= options.maxAge);
    const tooOld = youngest < 0 ? work.records.length : youngest;
    if (tooOld > 0) {
      await giveUp({ ...work, records: work.records.slice(0, tooOld) }, 'RecordAgeExceeded');
      if (tooOld < work.records.length) works.unshift({ ...work, records: work.records.slice(tooOld) });
      continue;
    }
    const outcome = await attempt(work);
    if (!outcome) {
      works.unshift(work);
      await host.pause(THROTTLE_PAUSE, stop);
      continue;
    }
    const { done, tried } = outcome;
    // The shutdown also stopped the function, so its failure does not count.
    if (stop.aborted && tried.functionError) return;
    pass(work.records.slice(0, done));
    if (done === work.records.length) continue;
    const next = nextTries(tried, done, options);
    if (next) {
      works.unshift(...next);
      await host.pause(Math.min(FIRST_PAUSE * 2 ** work.retries, MAX_PAUSE), stop);
    } else {
      await giveUp({ ...tried, records: work.records.slice(done) }, 'RetryAttemptsExhausted');
    }
  }
}
