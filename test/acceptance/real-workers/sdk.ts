/** Tests workers of RunPod's Python SDK in each version, with the handlers of `workers/python-worker.py`. */
import { expect } from '@jest/globals';
import { MINUTE, SECOND, STOP_LIMIT } from '../../../core/limits.ts';
import { eventually, holdingFile } from '../local-service.ts';
import { behaviours as ofAllKinds } from '../workers/behaviours.ts';
import type { Place } from '../workers/place.ts';
import { type Behaviour, type Cell, cellsOf } from './cell.ts';
import { isSilentAfterExit, stopsJobs } from './pins.ts';

/**
 * Milliseconds for which the jobs beside a cancelled job run. They outlast the agent's wait for a cancelled job to
 * stop.
 */
const OUTLASTS = STOP_LIMIT + 12 * SECOND;
/** Milliseconds of the cancelled job. If its handler is not stopped, it runs longer than the jobs beside it. */
const CANCELLED_RUNS = OUTLASTS + 8 * SECOND;

/** The bucket of the suite. Its access keys show which configuration wrote an object. */
export const BUCKET = 'results';
export const TEMPLATE_ACCESS_KEY = 'key-of-the-template';
const CLIENT_ACCESS_KEY = 'key-of-the-client';

/** Returns the check that `workers.long.ts` runs for all kinds of workers. */
function sameAs(title: string): Behaviour['check'] {
  const found = ofAllKinds.find(({ name }) => name === title);
  if (!found) throw new Error(`workers/behaviours.ts has no behaviour "${title}".`);
  return found.check;
}

/** Cancels one of three concurrent jobs. The other two continue, and a new job follows them. */
async function cancelBesideOthers(place: Place, stops: boolean): Promise<void> {
  const neighbours = await Promise.all([1, 2].map(() => place.submit({ chunks: 2, ms: OUTLASTS })));
  const cancelled = await place.submit({ chunks: 2, ms: CANCELLED_RUNS });
  const running = await Promise.all([...neighbours, cancelled].map((id) => place.running(id)));
  const [workerId, ...others] = new Set(running.map((record) => record.workerId));
  expect(others).toEqual([]);
  await place.cancel(cancelled);
  expect(await place.ended(cancelled)).toMatchObject({ status: 'CANCELLED' });
  const records = await Promise.all(neighbours.map((id) => place.ended(id)));
  const asStarted = { status: 'COMPLETED', attempts: 1, workerId };
  expect(records).toEqual(neighbours.map(() => expect.objectContaining(asStarted)));
  const next = await place.outcome({ chunks: 1 });
  expect(next).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  expect(next.workerId === workerId).toBe(stops);
}

/**
 * Returns a check that uploads a file.
 * @param endpointUrl S3 endpoint.
 * @default - the bucket in the template's environment variables
 */
const uploads = (endpointUrl?: () => string) => async (place: Place) => {
  const text = `written by ${place.endpoint}`;
  const s3Config = endpointUrl && {
    endpointUrl: endpointUrl(),
    accessId: CLIENT_ACCESS_KEY,
    accessSecret: 'secret',
    bucketName: BUCKET,
  };
  const { status, output, error } = await place.outcome({ do: 'upload', text, bucket: BUCKET }, { s3Config });
  expect({ status, error }).toEqual({ status: 'COMPLETED', error: undefined });
  const url = new URL(String(output));
  expect(url.searchParams.get('X-Amz-Credential')).toMatch(s3Config ? CLIENT_ACCESS_KEY : TEMPLATE_ACCESS_KEY);
  expect(await (await fetch(url)).text()).toBe(text);
};

/**
 * Exits in the first attempt of a job. The second attempt and the next job run on another worker.
 * @param isSilent whether the process of the first attempt stays and no longer asks for jobs
 */
async function exitsOnce(place: Place, isSilent: boolean): Promise<void> {
  const { until, release } = holdingFile();
  const id = await place.submit({ do: 'exit', until });
  const { workerId: before } = await place.running(id);
  release();
  if (isSilent)
    await eventually(
      `a worker of ${place.endpoint} counts as unhealthy`,
      async () => ((await place.unhealthyWorkers()) > 0 ? true : undefined),
      { within: 2 * MINUTE },
    );
  const record = await place.ended(id);
  expect(record).toMatchObject({ status: 'COMPLETED', attempts: 2 });
  expect(record.workerId).not.toBe(before);
  expect(await place.outcome({ text: 'later' })).toMatchObject({ status: 'COMPLETED', attempts: 1 });
}

const plain = (s3Url: () => string, isSilent: boolean): Behaviour[] => [
  {
    name: 'returns the output of a plain handler',
    result: 'yes',
    check: sameAs('gets the input of its job, and returns the output'),
  },
  { name: 'fails a job whose handler raises', result: 'yes', check: sameAs('fails a job by raising') },
  { name: 'shows what `progress_update` sends', result: 'yes', check: sameAs('reports its progress') },
  { name: 'uploads with `rp_upload` and the `s3Config` of the job', result: 'yes', check: uploads(s3Url) },
  { name: 'uploads with `rp_upload` and the `BUCKET_` variables', result: 'yes', check: uploads() },
  {
    name: 'is replaced after `refresh_worker`',
    result: 'yes',
    check: sameAs('is replaced after a job that requests it'),
  },
  {
    name: 'fails a job whose output is not JSON after one attempt, and continues',
    result: 'yes',
    check: sameAs('fails a job whose output is not JSON after one attempt, and continues'),
  },
  {
    name: 'runs a job again whose handler calls `sys.exit`',
    result: isSilent
      ? 'yes: its process stays, `/health` counts the worker as `unhealthy`, then it is replaced'
      : 'yes: its process ends, and the worker is replaced',
    check: (place) => exitsOnce(place, isSilent),
  },
];

const generator = (stops: boolean): Behaviour[] => [
  {
    name: 'streams what an async generator yields',
    result: 'yes',
    check: sameAs('streams each item when its generator yields it'),
  },
  {
    name: 'keeps the chunks of a generator that raises',
    result: 'yes',
    check: sameAs('fails a job whose generator raises, and keeps its chunks'),
  },
  {
    name: 'stops a cancelled async generator beside two others',
    result: stops
      ? 'yes, and the worker continues'
      : 'no: it runs until it finishes; the others end in their first attempt, then the worker is replaced',
    check: (place) => cancelBesideOthers(place, stops),
  },
];

export const sdkEndpoint = (version: string, handler: 'sync' | 'stream') =>
  `sdk-${version.replaceAll('.', '-')}-${handler}`;

/**
 * Returns the cells of one SDK version.
 * @param s3Url returns the address of S3, available when cells run
 */
export function sdkCells(version: string, s3Url: () => string): Cell[] {
  const worker = { worker: 'Python SDK', version };
  return [
    ...cellsOf({ ...worker, endpoint: sdkEndpoint(version, 'sync') }, plain(s3Url, isSilentAfterExit(version))),
    ...cellsOf({ ...worker, endpoint: sdkEndpoint(version, 'stream') }, generator(stopsJobs(version))),
  ];
}
