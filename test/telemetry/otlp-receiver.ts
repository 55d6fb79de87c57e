/** A receiver of OTLP on this machine, whose requests are decoded by the Python classes of OpenTelemetry. */
import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Logger } from '@aws-lambda-powertools/logger';
import { createTelemetry, type Telemetry } from '../../lambda/sweeper/telemetry.ts';
import { hasPython, pythonWith } from '../acceptance/workers/python.ts';

export const withPython = process.env.REQUIRE_PYTHON === '1' || hasPython();

const PARSER_VERSION = '1.45.2';

export interface OtlpRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, compressed. */
  readonly raw: Buffer;
  readonly incoming: IncomingMessage;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly requests: OtlpRequest[];
  /** Answers the next requests. */
  answer: (response: ServerResponse) => void;
  stop(): Promise<void>;
}

export const accept = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
};

export const refuse =
  (status: number) =>
  (response: ServerResponse): void => {
    response.writeHead(status).end();
  };

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: OtlpRequest[] = [];
  const server = createServer(async (incoming, response) => {
    requests.push({ path: incoming.url ?? '', headers: incoming.headers, raw: await buffer(incoming), incoming });
    receiver.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: accept,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
type Attribute = { readonly key: string; readonly value: Value };
type Message = Readonly<Record<string, unknown>>;

/** Returns the values by name. */
export function attributesOf(attributes: readonly Attribute[] = []): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? '') : Number(intValue)),
    ]),
  );
}

/** Returns the requests of a signal as Python's parser reads them. */
export async function decode(signal: 'traces' | 'metrics', requests: readonly OtlpRequest[]): Promise<Message[]> {
  const ofSignal = requests.filter(({ path }) => path === `/v1/${signal}`);
  const input = JSON.stringify(ofSignal.map(({ raw }) => [signal, gunzipSync(raw).toString('base64')]));
  const python = await pythonWith('opentelemetry-proto', PARSER_VERSION);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile(python, ['test/telemetry/otlp.py'], { maxBuffer: 1e8 }, (error, stdout) =>
    error ? reject(error) : resolve(stdout),
  );
  child.stdin?.end(input);
  return JSON.parse(await promise);
}

/** A span with ids in hexadecimal digits and times in milliseconds. */
export interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly error: string | undefined;
  readonly attributes: Record<string, string | number | boolean>;
}

interface SpanMessage {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: string; readonly message?: string };
  readonly attributes?: readonly Attribute[];
}

const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
const milliseconds = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1_000_000n);

/** Returns all spans of the requests. */
export async function spansIn(requests: readonly OtlpRequest[]): Promise<DecodedSpan[]> {
  const messages = (await decode('traces', requests)) as unknown as {
    resourceSpans?: { scopeSpans: { spans: SpanMessage[] }[] }[];
  }[];
  return messages
    .flatMap(({ resourceSpans = [] }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: hex(span.traceId),
      spanId: hex(span.spanId),
      parentSpanId: span.parentSpanId === undefined ? undefined : hex(span.parentSpanId),
      name: span.name,
      kind: span.kind,
      from: milliseconds(span.startTimeUnixNano),
      to: milliseconds(span.endTimeUnixNano),
      error: span.status?.code === 'STATUS_CODE_ERROR' ? span.status.message : undefined,
      attributes: attributesOf(span.attributes),
    }));
}

/** Creates the telemetry of a deployment that sends to this address. */
export function telemetryTo(
  url: string,
  ports: Parameters<typeof createTelemetry>[0],
  logLevel: 'INFO' | 'SILENT' = 'SILENT',
): Telemetry | undefined {
  process.env.OTLP_TRACES_URL = `${url}/v1/traces`;
  process.env.OTLP_METRICS_URL = `${url}/v1/metrics`;
  return createTelemetry(ports, new Logger({ logLevel }));
}
