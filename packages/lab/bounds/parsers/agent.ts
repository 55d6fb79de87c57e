/** Parsers of the agent, which runs beside the user's container and renews the lease of its worker every ten seconds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { createJobQueues } from '../../../../aws/jobs/job-queues.ts';
import { payloadLimits } from '../../../../core/limits.ts';
import { openAiCallFrom } from '../../../../core/openai/call-from-input.ts';
import { openAiMembers } from '../../../../core/openai/members.ts';
import { chunkSize } from '../../../../core/streams/append.ts';
import { cut } from '../../../../core/streams/chunk.ts';
import { metricsOf } from '../../../../core/streams/metrics.ts';
import type { Agent } from '../../../../worker/agent/agent.ts';
import { createAggregation } from '../../../../worker/agent/aggregation.ts';
import { MAX_CALL, readCall } from '../../../../worker/gateway/call-body.ts';
import { report, storeChunk } from '../../../../worker/gateway/reports.ts';
import { createTurns } from '../../../../worker/gateway/turns.ts';
import { kindOf } from '../../../../worker/http/answer.ts';
import { eventData, jsonFrom, jsonLines } from '../../../../worker/http/chunks.ts';
import { between, type Parser, repeated } from './parser.ts';

/** A stream has no limit. Its time grows with each piece, and a socket delivers one piece at once. */
const STREAM = { size: 1_024 * 1_024, limit: '64 KB at once' } as const;
const OUTPUT = { size: payloadLimits.output - 1_024, limit: 'payloadLimits.output' } as const;
const CALL = { size: MAX_CALL, limit: 'MAX_CALL' } as const;
const HEADERS = { size: 16 * 1_024, limit: 'header section of node:http' } as const;
const QUEUE_MESSAGE = { size: 1_024 * 1_024, limit: 'largest message of SQS' } as const;
/** A piece that a socket delivers at once. */
const PIECE = 64 * 1_024;

const response = { writeHead: () => ({ end: () => undefined }) } as unknown as ServerResponse;
/** Accepts everything, like an agent whose stores answer immediately. */
const agent = {
  async chunk(_job: string, output: string, metrics?: string) {
    metricsOf(metrics, { running: 1 });
    chunkSize({ output });
    await cut(0, { output });
    return undefined;
  },
  async progress() {},
  async report() {},
  retire() {},
} as unknown as Agent;

type Call = (body: { readonly size: number; readonly content: Buffer }) => unknown;
const callWith = (body: Parameters<Call>[0]) => ({
  agent,
  turns: createTurns(),
  progressTurns: createTurns(),
  job: 'job',
  body: async () => body,
  response,
});
const done: Call = (body) => report(callWith(body));
const chunk: Call = (body) => storeChunk(callWith(body));

const call = (
  parses: string,
  handle: Call,
  worst: string,
  text: (size: number) => string,
  limits: Pick<Parser, 'size' | 'limit'> = CALL,
): Parser => ({
  parses,
  file: 'worker/gateway/reports.ts',
  worst,
  ...limits,
  prepare: async (size) => {
    const bytes = Buffer.from(text(size));
    return () => handle({ size: bytes.length, content: bytes });
  },
});

/** A response of a server: a socket delivers each piece in a turn of its own. */
async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) {
    await setImmediate();
    yield text.slice(at, at + PIECE);
  }
}

/** The body of a call. Its pieces exist before, so that the memory of the parser does not include them. */
async function* bytePieces(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE) {
    await setImmediate();
    yield body.subarray(at, at + PIECE);
  }
}

async function drained(chunks: AsyncIterable<string>): Promise<void> {
  for await (const _ of chunks);
}

const server = (
  parses: string,
  worst: string,
  limits: Pick<Parser, 'size' | 'limit'>,
  text: (size: number) => string,
  parse: (text: string) => unknown,
): Parser => ({
  parses: `HTTP server: ${parses}`,
  file: 'worker/http/chunks.ts',
  worst,
  ...limits,
  prepare: async (size) => {
    const body = text(size);
    return () => parse(body);
  },
});

export const parsers: readonly Parser[] = [
  call('job-done: output', done, 'empty arrays', (size) => between('{"output":[', '[],', '1]}', size)),
  call('job-done: error', done, 'an array of empty arrays', (size) => between('{"error":[', '[],', '1]}', size)),
  call('job-done: status', done, 'an array of empty arrays', (size) => between('{"status":[', '[],', '1]}', size)),
  {
    parses: 'job-done: a larger call',
    file: 'worker/gateway/call-body.ts',
    worst: 'members',
    // Half of it must also be larger than MAX_CALL.
    size: 3 * MAX_CALL,
    limit: 'three times MAX_CALL',
    prepare: async (size) => {
      const body = Buffer.from(between('{', '"error":1,', '"output":1}', size));
      return () => readCall(bytePieces(body));
    },
  },
  call('job-stream: array', chunk, 'digits', (size) => between('{"output":[', '1,', '1]}', size), OUTPUT),
  call('job-stream: string', chunk, 'escapes', (size) => between('{"output":"', '\\u0041', '"}', size), OUTPUT),
  call(
    'job-stream: object',
    chunk,
    'quotes, which are split as text',
    (size) => between('{"output":{', '"a":"",', '"a":1}}', size),
    OUTPUT,
  ),
  call('job-stream: metrics', chunk, 'many metrics', (size) => between('{"metrics":{', '"a":1,', '"a":1}}', size)),
  server(
    'JSON',
    'empty arrays',
    OUTPUT,
    (size) => between('[', '[],', '1]', size),
    (text) => jsonFrom(text, 'an answer'),
  ),
  server(
    'lines of JSON',
    'empty lines',
    OUTPUT,
    (size) => repeated('\n', size),
    (text) => drained(jsonLines(pieces(text))),
  ),
  server(
    'a line of JSON',
    'empty arrays in one line',
    OUTPUT,
    (size) => between('[', '[],', '1]', size),
    (text) => drained(jsonLines(pieces(text))),
  ),
  server(
    'event stream',
    'events without data',
    STREAM,
    (size) => repeated('data:\n\n', size),
    (text) => drained(eventData(pieces(text))),
  ),
  server(
    'one event',
    'lines of data',
    OUTPUT,
    (size) => repeated('data:\n', size),
    (text) => drained(eventData(pieces(text))),
  ),
  server(
    'Content-Type',
    'semicolons',
    HEADERS,
    (size) => repeated(';charset="', size),
    (text) => kindOf({ headers: { 'content-type': text } } as IncomingMessage),
  ),
  {
    parses: 'output of a job that has streamed',
    file: 'worker/agent/aggregation.ts',
    worst: 'empty arrays',
    ...OUTPUT,
    prepare: async (size) => {
      const output = between('[', '[],', '1]', size);
      return () => createAggregation().completed(1, output);
    },
  },
  {
    parses: 'input with an OpenAI call',
    file: 'core/openai/call-from-input.ts',
    worst: 'a body in base64',
    size: 1.5 * payloadLimits.body.runsync,
    limit: '1.5 payloadLimits.body.runsync',
    prepare: async (size) => {
      const head = `{"${openAiMembers.route}":"/v1/x","${openAiMembers.contentType}":"a/b","${openAiMembers.base64}":"`;
      const input = Buffer.from(between(head, 'AAAA', '"}', size));
      return () => openAiCallFrom(input);
    },
  },
  {
    parses: 'queue message',
    file: 'aws/jobs/job-queues.ts',
    worst: 'empty arrays',
    ...QUEUE_MESSAGE,
    prepare: async (size) => {
      const Messages = [{ Body: between('[', '[],', '1]', size) }];
      const queues = createJobQueues({ send: async () => ({ Messages }) } as unknown as Parameters<
        typeof createJobQueues
      >[0]);
      return () => queues.receive('queue', 1, 0, 0);
    },
  },
];
