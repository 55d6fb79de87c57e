/**
 * Reads of jobs that all waiting calls of a process share. Thousands of calls can wait in one process, and each of them
 * reads its job many times. A call therefore asks for a read at a time that it has in common with other calls
 * (`poll-schedule.ts`). All reads of one time are one batch, which contains each job once however many calls wait for
 * it. A failed read ends no call: each call gets its job, or the failure of its read, and decides itself whether to read
 * again.
 */
import { type FindPorts, type Found, foundFrom } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { pollLimits, SECOND } from '../limits.ts';
import { RequestError } from '../requests/errors.ts';
import { firstPollLimits } from './poll-schedule.ts';

/** The job, or the reason why it could not be read. */
export type ReadResult = Pick<Found, 'job'> | { readonly failure: unknown };

interface PendingRead {
  readonly key: JobKey;
  readonly result: PromiseWithResolvers<ReadResult>;
}

/** The pending reads of one time, by endpoint and id of the job. */
type Batch = Map<string, PendingRead>;

/** Batches of reads of one jobs store. */
export class SharedReads {
  readonly #ports: FindPorts;
  /** Pending batches by their time. */
  readonly #batches = new Map<number, Batch>();
  /** The second of the last reservation of a batch between ticks, and the number of reservations in it. */
  #reserved = { second: 0, count: 0 };

  constructor(ports: FindPorts) {
    this.#ports = ports;
  }

  /**
   * Reserves a batch between two ticks, unless the process has already reserved `firstPollLimits.maxPerSecond` of them
   * in this second. Without this limit, a process with many short calls would read up to 200 batches a second. A batch
   * that is already pending needs no reservation.
   * @returns whether the caller can read its job at this time
   */
  reserveBetweenTicks(time: number): boolean {
    if (this.#batches.has(time)) return true;
    const second = Math.floor(time / SECOND);
    const count = second === this.#reserved.second ? this.#reserved.count + 1 : 1;
    this.#reserved = { second, count };
    return count <= firstPollLimits.maxPerSecond;
  }

  /**
   * Reads the job at the given time, once for all callers.
   * @returns the job, or the failure of the read if it can be repeated
   * @throws EndpointNotFound, JobNotFound or JobExpired
   */
  at(time: number, key: JobKey): Promise<ReadResult> {
    const batch = this.#batches.get(time) ?? this.#begin(time);
    const name = `${key.endpoint}/${key.id}`;
    const read = batch.get(name) ?? { key, result: Promise.withResolvers<ReadResult>() };
    batch.set(name, read);
    return read.result.promise;
  }

  #begin(time: number): Batch {
    const batch: Batch = new Map();
    this.#batches.set(time, batch);
    void this.#readWhenDue(time, batch);
    return batch;
  }

  async #readWhenDue(time: number, batch: Batch): Promise<void> {
    const { clock } = this.#ports;
    try {
      await clock.pause(Math.max(0, time - clock.now()));
    } catch (error) {
      // If the pause fails, its calls must not wait forever.
      this.#batches.delete(time);
      for (const { result } of batch.values()) result.reject(error);
      return;
    }
    this.#batches.delete(time);
    const reads = [...batch.values()];
    for (let n = 0; n < reads.length; n += pollLimits.batch) void this.#read(reads.slice(n, n + pollLimits.batch));
  }

  /** Reads at most `pollLimits.batch` jobs with one request. */
  async #read(reads: readonly PendingRead[]): Promise<void> {
    try {
      const jobs = await this.#ports.jobs.readMany(reads.map(({ key }) => key));
      for (const [n, read] of reads.entries()) {
        const job = jobs[n];
        if (job !== 'not read') void this.#complete(read, job);
        else read.result.resolve({ failure: new Error(`DynamoDB did not read job ${read.key.id} in a batch.`) });
      }
    } catch (failure) {
      for (const { result } of reads) result.resolve({ failure });
    }
  }

  /** Completes the read of one job, which can need a read of its endpoint, or a write that ends the job. */
  async #complete({ key, result }: PendingRead, stored: Job | undefined): Promise<void> {
    try {
      result.resolve(await foundFrom(this.#ports, key, stored));
    } catch (error) {
      if (error instanceof RequestError) result.reject(error);
      else result.resolve({ failure: error });
    }
  }
}

const byStore = new WeakMap<FindPorts['jobs'], WeakMap<FindPorts['clock'], SharedReads>>();

/** Returns the shared reads of the stores and clock, which all calls of a process have in common. */
export function sharedReadsOf({ clock, endpoints, jobs }: FindPorts): SharedReads {
  const byClock = byStore.get(jobs) ?? new WeakMap<FindPorts['clock'], SharedReads>();
  byStore.set(jobs, byClock);
  const reads = byClock.get(clock) ?? new SharedReads({ clock, endpoints, jobs });
  byClock.set(clock, reads);
  return reads;
}
