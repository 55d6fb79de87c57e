/** Checks that several of the three workers share. */
import { expect } from '@jest/globals';
import { STOP_LIMIT } from '../../../core/limits.ts';
import { eventually } from '../local-service.ts';
import type { JobRecord, Place } from '../workers/place.ts';

/** Milliseconds of a job that is still running when its worker is replaced. */
export const OUTLASTS_STOP = 2 * STOP_LIMIT;

/** Returns the output of a job that completes in its first attempt. */
export async function outputOf<Output>(place: Place, input: object): Promise<Output> {
  const { status, attempts, output, error } = await place.outcome(input);
  expect({ status, attempts, error }).toEqual({ status: 'COMPLETED', attempts: 1, error: undefined });
  return output as Output;
}

/**
 * Checks that a plain handler cannot be stopped: it runs until it finishes, and the next job runs on another
 * worker.
 */
export async function isReplacedAfterCancel(place: Place, slow: object, quick: object): Promise<void> {
  const id = await place.submit(slow);
  const { workerId: before } = await place.running(id);
  await place.cancel(id);
  expect(await place.ended(id)).toMatchObject({ status: 'CANCELLED' });
  const next = await place.outcome(quick);
  expect(next).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  expect(next.workerId).not.toBe(before);
}

/** Checks that the job that kills the server fails, and that later jobs fail until the worker is replaced. */
export async function isReplacedWithDeadServer(place: Place, fatal: object, quick: object): Promise<void> {
  const died = await place.outcome(fatal);
  expect(died).toMatchObject({ status: 'FAILED', attempts: 1 });
  const after: JobRecord[] = [];
  const next = await eventually(
    `a worker of ${place.endpoint} has a running server again`,
    async () => {
      const record = await place.outcome(quick);
      after.push(record);
      return record.status === 'COMPLETED' ? record : undefined;
    },
    { within: 180_000 },
  );
  expect(next.workerId).not.toBe(died.workerId);
  // A job that was reported as failed stays failed.
  expect(after.slice(0, -1).map(({ status, attempts }) => [status, attempts])).toEqual(
    after.slice(0, -1).map(() => ['FAILED', 1]),
  );
}
