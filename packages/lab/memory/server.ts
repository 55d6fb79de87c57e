/**
 * Serves `/runsync` and `/status` as the ingress does, with the real reader of bodies and the real S3 client.
 * Other stores are stubs. `/peak` returns the maximum memory that the process has used, in bytes.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createS3Objects } from '../../../aws/jobs/s3-objects.ts';
import type { Ports } from '../../../aws/ports.ts';
import { systemClock } from '../../../core/clock.ts';
import { type Answer, respondInTime } from '../../../core/http/respond.ts';
import { apply } from '../../../core/jobs/machine.ts';
import { recordOf } from '../../../core/status/status.ts';
import { parseJobRequest, submit } from '../../../core/submission/submit.ts';
import { createMemory } from '../../../ingress/memory.ts';
import { createBodyReader } from '../../../ingress/request-body.ts';
import { queuedJob } from '../../../test/jobs/queued-job.ts';

const endpoint = { id: 'echo', maxWorkers: 1, generation: 0, executionTimeout: 1_000, counts: { inQueue: 0 } };
const ports = {
  clock: systemClock,
  endpoints: { read: async () => ({ ...endpoint, normalQueueUrls: ['', ''] }) },
  jobs: { create: async () => undefined },
  jobQueues: { send: async () => undefined },
  objects: createS3Objects(),
  webhookNetworks: [],
  newJobId: () => `job-${randomUUID()}`,
} as unknown as Ports;

/** @returns a job whose output is the object with this name */
function completed(object: string) {
  const now = Date.now();
  const worker = 'w1';
  const taken = apply('take', queuedJob(now), {
    $now: now,
    $worker: worker,
    $generation: 0,
    $revision: undefined,
    $aggregates: undefined,
  });
  const facts = {
    $now: now,
    $graceStart: now,
    $worker: worker,
    $attempt: 1,
    $removeAfter: 1,
    $chunks: undefined,
    $workerTime: undefined,
  };
  const job = taken && apply('complete', taken, { ...facts, $output: { object: `2/echo/j1/${object}` } });
  if (!job) throw new Error('The job did not end.');
  return job;
}

/** Returns the peak memory in KB. Falls back to `getrusage`, which includes the parent process. */
function peakOf(): number {
  const file = '/proc/self/status';
  const [, peak] = existsSync(file) ? (/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return peak === undefined ? process.resourceUsage().maxRSS : Number(peak);
}

const reader = createBodyReader(createMemory());

async function answerTo(request: IncomingMessage): Promise<Answer> {
  const [, operation, object = ''] = (request.url ?? '').split('/');
  if (operation === 'peak') return { peak: peakOf() * 1_024 };
  if (operation === 'status') return recordOf(ports, completed(object));
  const body = await reader.read(request, 'runsync', endpoint.id);
  try {
    const submission = { endpoint: 'echo', owner: 'ada', body: body.bytes };
    return await submit(ports, 'runsync', submission, () => parseJobRequest(ports, submission));
  } finally {
    body.release();
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const exchange = { requestId: 'r', onFailure: ({ error }: { error: unknown }) => console.error(error) };
  const { status, headers, body } = await respondInTime(exchange, () => answerTo(request));
  response.writeHead(status, headers);
  await pipeline(body, response);
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
