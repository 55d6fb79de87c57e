/** Parsers of the ingress for calls of `/openai/*` and for their answers, which workers write. */
import { payloadLimits } from '../../../../core/limits.ts';
import { envelopeOf } from '../../../../core/openai/envelope.ts';
import { readError } from '../../../../core/openai/error-text.ts';
import { openAiInput } from '../../../../core/openai/input.ts';
import { answerOf, eventsOf } from '../../../../core/openai/result.ts';
import { between, type Parser, repeated } from './parser.ts';

const BODY = { size: payloadLimits.body.runsync, limit: 'payloadLimits.body.runsync' } as const;
const OUTPUT = { size: payloadLimits.output - 1_024, limit: 'payloadLimits.output' } as const;

const BOUNDARY = 'a'.repeat(70);
const NEAR_MISS = `\r\n--${'a'.repeat(69)}b`;
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="stream"\r\n\r\n`;

const body = (parses: string, worst: string, contentType: string, text: (size: number) => string): Parser => ({
  parses: `OpenAI call: ${parses}`,
  file: 'core/openai/input.ts',
  worst,
  ...BODY,
  prepare: async (size) => {
    const call = { method: 'POST', path: 'v1/x', queryText: '', contentType, body: Buffer.from(text(size)) };
    return () => openAiInput(call);
  },
});

type Ports = Parameters<typeof answerOf>[0];
type Ended = Parameters<typeof answerOf>[1];

const job = {
  endpoint: 'echo',
  id: 'job',
  status: 'COMPLETED',
  output: { object: '2/echo/job/output#1' },
  finishedAt: 1,
} as unknown as Ended;

const answer = (
  parses: string,
  worst: string,
  text: (size: number) => string,
  read: (ports: Ports) => Promise<unknown>,
): Parser => ({
  parses: `OpenAI answer: ${parses}`,
  file: 'core/openai/result.ts',
  worst,
  ...OUTPUT,
  prepare: async (size) => {
    const output = Buffer.from(text(size));
    const ports = { objects: { read: async () => output } } as unknown as Ports;
    return () => read(ports);
  },
});

async function allEvents(ports: Ports): Promise<void> {
  for await (const _ of eventsOf(ports, job));
}

export const openAiParsers: readonly Parser[] = [
  body('form', 'almost a boundary, again and again', `multipart/form-data; boundary=${BOUNDARY}`, (size) =>
    between(PART, NEAR_MISS, `\r\n--${BOUNDARY}--`, size),
  ),
  body('form of parts', 'small parts', 'multipart/form-data; boundary=a', (size) =>
    between('', '--a\r\nContent-Disposition: form-data; name="stream"\r\n\r\n1\r\n', '--a--', size),
  ),
  body('binary body', 'bytes', 'application/octet-stream', (size) => repeated('a', size)),
  answer(
    'list',
    'numbers',
    (size) => between('[', '1,', '1]', size),
    (ports) => answerOf(ports, job),
  ),
  answer('events', 'numbers', (size) => between('[', '1,', '1]', size), allEvents),
  answer('one event', 'a string of escapes', (size) => between('["', '\\u0041', '"]', size), allEvents),
  answer(
    'bytes',
    'an envelope with base64',
    (size) => `[${envelopeOf('job', 'a/b', Buffer.alloc(Math.floor((3 * (size - 300)) / 4)))}]`,
    (ports) => answerOf(ports, job),
  ),
  {
    parses: 'OpenAI answer: error',
    file: 'core/openai/error-text.ts',
    worst: 'nested objects',
    size: payloadLimits.error,
    limit: 'payloadLimits.error',
    prepare: async (size) => {
      const text = repeated('{"', size);
      return () => readError(text);
    },
  },
];
