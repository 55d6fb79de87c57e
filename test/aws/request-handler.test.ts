/** Sends calls of a client to a server that replaces DynamoDB and responds when the test releases it. */
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { eventually } from '../../packages/emulator/test/small-service.ts';
import { holdTime, passTime } from '../../packages/emulator/test/time-limits.ts';

const MAX_CONCURRENT = 32;
const variables = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  // A call fails at its first error.
  AWS_MAX_ATTEMPTS: '1',
};

let before: NodeJS.ProcessEnv;
let server: Server;
let came: ServerResponse[];
let isAnswering: boolean;

beforeEach(async () => {
  before = { ...process.env };
  came = [];
  isAnswering = false;
  server = createServer((_, response) => {
    came.push(response);
    if (isAnswering) answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, variables, { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  process.env = before;
  server.close();
  server.closeAllConnections();
});

const answer = (response: ServerResponse) =>
  void response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{"Items":[]}');

function answerAll(): void {
  isAnswering = true;
  came.forEach(answer);
}

/**
 * Starts simultaneous calls.
 * @returns the result of each call
 */
function callAtOnce(count: number, documents = createDocumentClient()): Promise<string[]> {
  const ended = Array.from({ length: count }, () =>
    documents.send(new ScanCommand({ TableName: 'jobs' })).then(
      () => 'answered',
      (error: Error) => error.name,
    ),
  );
  return Promise.all(ended);
}

/** Expects that a call ends after this time, and not before. */
async function expectTimeout(ended: Promise<readonly string[]>, milliseconds: number): Promise<void> {
  let results: readonly string[] | undefined;
  void ended.then((all) => {
    results = all;
  });
  await passTime(milliseconds - 100);
  expect(results).toBeUndefined();
  await passTime(100);
  await eventually('the call has ended', () => results !== undefined);
  expect(results).toEqual(['TimeoutError']);
}

describe('calls of a client to AWS', () => {
  it(`run ${MAX_CONCURRENT} at a time, and the timeout of a waiting call begins when it is sent`, async () => {
    // The first call loads the modules that the other calls need.
    isAnswering = true;
    await callAtOnce(1);
    [came, isAnswering] = [[], false];

    holdTime();
    const ended = callAtOnce(4 * MAX_CONCURRENT);
    await eventually(`${MAX_CONCURRENT} calls have arrived`, () => came.length >= MAX_CONCURRENT);
    // Longer than the limit of a connection, and shorter than the limit of a response.
    await passTime(4_900);
    expect(came).toHaveLength(MAX_CONCURRENT);
    came.splice(0).forEach(answer);
    await eventually(`the next ${MAX_CONCURRENT} calls have arrived`, () => came.length >= MAX_CONCURRENT);
    await passTime(200);
    answerAll();
    expect(new Set(await ended)).toEqual(new Set(['answered']));
  });

  it('end with a TimeoutError too when they lose their connection', async () => {
    const ended = callAtOnce(1);
    await eventually('the call has arrived', () => came.length === 1);
    came[0]?.destroy();
    expect(await ended).toEqual(['TimeoutError']);
  });

  it('end after their timeout', async () => {
    holdTime();
    const ended = callAtOnce(1);
    await eventually('the call has arrived', () => came.length === 1);
    await expectTimeout(ended, 5_000);
  });
});

describe('a call of a client to AWS', () => {
  it('ends with an AbortError as soon as its signal aborts, although it is queued, and is not sent later', async () => {
    const documents = createDocumentClient();
    // The sent calls have no timeout that would end them.
    holdTime();
    const others = callAtOnce(MAX_CONCURRENT, documents);
    await eventually(`${MAX_CONCURRENT} calls have arrived`, () => came.length === MAX_CONCURRENT);
    const handle = jest.spyOn(documents.config.requestHandler, 'handle');
    const ending = new AbortController();
    let failure: unknown;
    const queued = documents.send(new ScanCommand({ TableName: 'jobs' }), { abortSignal: ending.signal });
    const ended = queued.catch((error: unknown) => {
      failure = error;
    });
    await eventually('the call is queued', () => handle.mock.calls.length === 1);
    ending.abort();
    await eventually('the queued call has ended', () => failure !== undefined);
    expect(failure).toMatchObject({ name: 'AbortError' });
    answerAll();
    await Promise.all([others, ended, callAtOnce(1, documents)]);
    expect(came).toHaveLength(MAX_CONCURRENT + 1);
  });

  it('without a connection ends after a second', async () => {
    process.env.AWS_ENDPOINT_URL = 'http://aws.test';
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(() => undefined as never);
    holdTime();
    const ended = callAtOnce(1);
    await eventually('the name is looked up', () => lookup.mock.calls.length === 1);
    await expectTimeout(ended, 1_000);
  });

  it('does not look up an address of IPv6 as a name', async () => {
    process.env.AWS_ENDPOINT_URL = 'http://[::1]:1';
    const lookup = jest.spyOn(dns, 'lookup');
    await callAtOnce(1);
    expect(lookup).not.toHaveBeenCalled();
  });
});

/**
 * Makes the server respond to its first request with this error.
 * @returns the bodies of all requests
 */
function failFirst(status: number, headers: Record<string, string> = {}): string[] {
  const bodies: string[] = [];
  server.removeAllListeners('request').on('request', async (request, response) => {
    bodies.push(await text(request));
    if (bodies.length === 1) response.writeHead(status, headers).end();
    else answer(response);
  });
  process.env.AWS_MAX_ATTEMPTS = '2';
  return bodies;
}

const scan = (options?: { abortSignal: AbortSignal }) =>
  createDocumentClient().send(new ScanCommand({ TableName: 'jobs' }), options);

describe('a call that fails', () => {
  it('is sent again with its whole body', async () => {
    const bodies = failFirst(500);
    await scan();
    expect(bodies).toEqual(['{"TableName":"jobs"}', '{"TableName":"jobs"}']);
  });

  it('is sent again as late as the service says', async () => {
    const bodies = failFirst(503, { 'Retry-After': '3' });
    holdTime();
    const called = scan();
    await eventually('the first request has arrived', () => bodies.length === 1);
    await passTime(2_000);
    expect(bodies).toHaveLength(1);
    await passTime(2_000);
    await called;
    expect(bodies).toHaveLength(2);
  });

  it('has the number of attempts in its error', async () => {
    failFirst(403);
    await expect(scan()).rejects.toMatchObject({ $metadata: { attempts: 1, httpStatusCode: 403 } });
  });

  it('ends when it is aborted while it waits for its next attempt', async () => {
    const bodies = failFirst(503, { 'Retry-After': '3' });
    holdTime();
    const ending = new AbortController();
    const called = scan({ abortSignal: ending.signal });
    await eventually('the first request has arrived', () => bodies.length === 1);
    await passTime(1_000);
    ending.abort();
    await expect(called).rejects.toMatchObject({ name: 'AbortError' });
  });
});
