/** Parsers of the ingress, which serves all waiting calls of all endpoints with one thread. */

import { isOfUser } from '../../../../core/authorizer/authorize.ts';
import { queryOf } from '../../../../core/http/request.ts';
import { traceOf } from '../../../../core/jobs/trace.ts';
import { parseLargeObject } from '../../../../core/json/json.ts';
import { isWellFormed } from '../../../../core/keys/client-keys.ts';
import { payloadLimits, webhookUrlLimits } from '../../../../core/limits.ts';
import { minDirectBytes, waitingOperations } from '../../../../core/operations/table.ts';
import { MAX_OUTPUT_VALUES, streamedOutput } from '../../../../core/streams/output.ts';
import type { ListedChunk } from '../../../../core/streams/store.ts';
import { assertIdempotencyKey } from '../../../../core/submission/idempotency.ts';
import { parseSubmission, submissionMembers } from '../../../../core/submission/request.ts';
import { flawOf } from '../../../../core/webhooks/url.ts';
import { beginnings, createPaths } from '../../../../ingress/paths.ts';
import { openAiParsers } from './openai.ts';
import { between, type Parser, repeated } from './parser.ts';

const BODY = { size: payloadLimits.body.runsync, limit: 'payloadLimits.body.runsync' } as const;
/** Node.js refuses a larger header section, which contains the path and the query. */
const HEADERS = { size: 16 * 1_024, limit: 'header section of node:http' } as const;
const JSON_FILE = 'core/json/scan.ts';

const body = (parses: string, worst: string, text: (size: number) => string): Parser => ({
  parses: `JSON body: ${parses}`,
  file: JSON_FILE,
  worst,
  ...BODY,
  prepare: async (size) => {
    const bytes = Buffer.from(text(size), 'latin1');
    return () => parseLargeObject(bytes, submissionMembers);
  },
});

const header = (
  parses: string,
  file: string,
  worst: string,
  parse: (text: string) => unknown,
  unit: string,
): Parser => ({
  parses,
  file,
  worst,
  ...HEADERS,
  prepare: async (size) => {
    const text = repeated(unit, size);
    return () => parse(text);
  },
});

const cancelled = {
  endpoint: 'echo',
  id: 'job',
  status: 'CANCELLED',
  attempt: 1,
  startedAt: 1,
  finishedAt: 1,
  aggregates: true,
} as unknown as Parameters<typeof streamedOutput>[1];

/** @param object the bytes of each chunk that is in an object */
const streamed = (
  parses: string,
  worst: string,
  { size, limit }: Pick<Parser, 'size' | 'limit'>,
  make: (size: number) => { readonly chunks: readonly ListedChunk['chunk'][]; readonly object?: Uint8Array },
): Parser => ({
  parses: `chunks as an output: ${parses}`,
  file: 'core/streams/output.ts',
  worst,
  size,
  limit,
  prepare: async (size) => {
    const { chunks, object } = make(size);
    async function* list() {
      for (const [number, chunk] of chunks.entries()) yield { number, chunk };
    }
    const ports = { chunks: { list }, objects: { read: async () => object } };
    return () => streamedOutput(ports as unknown as Parameters<typeof streamedOutput>[0], cancelled);
  },
});

const operations = new Set([...waitingOperations, ...(Object.keys(minDirectBytes) as (keyof typeof minDirectBytes)[])]);
const find = createPaths([...operations], beginnings.distribution);

export const parsers: readonly Parser[] = [
  body('one string', 'a string of escapes', (size) => between('{"input":{"a":"', '\\u0041', '"}}', size)),
  body('a name', 'a name of escapes', (size) => between('{"input":{"', '\\u0041', '":1}}', size)),
  body('a number', 'digits', (size) => between('{"input":{"a":', '1', '}}', size)),
  body('white space', 'spaces', (size) => between('{"input":', ' ', '{}}', size)),
  body('small values', 'empty arrays', (size) => between('{"input":{"a":[', '[],', '1]}}', size)),
  body('many members', 'members of the body', (size) => between('{', '"input":{},', '"a":1}', size)),
  body('invalid UTF-8', 'an invalid byte at the end', (size) => between('{"input":{"a":"', 'a', '\xff"}}', size)),
  {
    parses: 'policy of a body',
    file: 'core/submission/request.ts',
    worst: 'members that the schema does not have',
    size: payloadLimits.field,
    limit: 'payloadLimits.field',
    prepare: async (size) => {
      const text = between('{"input":{},"policy":{', '"a":1,', '"ttl":1}}', size);
      const parsed = await parseLargeObject(Buffer.from(text), submissionMembers);
      return () => parseSubmission(parsed);
    },
  },
  {
    parses: 'webhook URL',
    file: 'core/webhooks/url.ts',
    worst: 'a user name without end',
    size: webhookUrlLimits.characters,
    limit: 'webhookUrlLimits.characters',
    prepare: async (size) => {
      const url = between('https://', 'a:', '', size);
      return () => flawOf(url);
    },
  },
  header('path', 'ingress/paths.ts', 'encoded characters', (text) => find('POST', `/v2/e/openai/${text}`), '%41/'),
  header('query', 'core/http/request.ts', 'opening brackets', (text) => queryOf(new URLSearchParams(text)), '['),
  header(
    'query of lists',
    'core/http/request.ts',
    'many parameters',
    (text) => queryOf(new URLSearchParams(text)),
    'a[]&',
  ),
  header('Authorization', 'core/authorizer/authorize.ts', 'dots', (text) => isOfUser(text) || isWellFormed(text), 'a.'),
  header('Idempotency-Key', 'core/submission/idempotency.ts', 'one character', assertIdempotencyKey, 'a'),
  header('traceparent', 'core/jobs/trace.ts', 'hexadecimal digits', traceOf, 'a'),
  streamed('small', 'numbers', { size: MAX_OUTPUT_VALUES, limit: 'MAX_OUTPUT_VALUES' }, (size) => ({
    chunks: Array.from({ length: size }, () => ({ output: { inline: '1' } })),
  })),
  streamed('parts', 'strings of escapes', { size: payloadLimits.output, limit: 'payloadLimits.output' }, (size) => {
    const parts = Math.ceil(size / payloadLimits.chunk);
    const output = { object: '2/echo/job/chunk#1#0' };
    return {
      chunks: Array.from({ length: parts }, (_, n) => ({ output, part: n + 1, parts })),
      object: Buffer.from(between('"', '\\"', '"', payloadLimits.chunk)),
    };
  }),
  ...openAiParsers,
];
