/** Sends telemetry to a receiver: OTLP over HTTP, signed for CloudWatch, or with headers from a secret. */
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity } from '@smithy/types';
import { REQUEST_TIME } from '../../core/telemetry/limits.ts';
import type { Received, Signal, TelemetryReceiver } from '../../core/telemetry/receiver.ts';
import { environment, optionalEnvironment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';
import type { ReadHeaders } from './headers.ts';

/** Bytes of a response that are read; a response has the number of rejected spans, and a message. */
const MAX_RESPONSE = 64 * 1_024;
/** Characters of the receiver's message that are logged. */
const MAX_MESSAGE = 200;

/** Statuses after which a client of OTLP may repeat a request. */
const passing = [429, 502, 503, 504];

export interface ReceiverOptions {
  /** Address of each signal. */
  readonly urls: Readonly<Record<Signal, string>>;
  /**
   * Returns headers from a secret.
   * @default - none
   */
  readonly readHeaders?: ReadHeaders | undefined;
  /** Signs requests with the credentials of this process. */
  readonly isSigned: boolean;
}

/** Names of the services of CloudWatch in signatures. */
const services: Readonly<Record<Signal, string>> = { traces: 'xray', metrics: 'monitoring' };

const serializers = { traces: ProtobufTraceSerializer, metrics: ProtobufMetricsSerializer } as const;

const compress = promisify(gzip);

/** Returns the credentials of a function, which are always in the environment. */
const credentials = async (): Promise<AwsCredentialIdentity> => {
  const sessionToken = optionalEnvironment('AWS_SESSION_TOKEN');
  return {
    accessKeyId: environment('AWS_ACCESS_KEY_ID'),
    secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  };
};

/** Reads the beginning of the response. The signal of the request also ends a response that never does. */
async function bodyOf({ body }: HttpResponse): Promise<Uint8Array> {
  if (!(body instanceof Readable)) return new Uint8Array();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    // Leaving the loop closes the connection.
    if (length > MAX_RESPONSE) break;
  }
  return Buffer.concat(pieces);
}

/** Returns what the receiver did not accept of a request that it accepted. */
function acceptedOf(signal: Signal, body: Uint8Array): Received {
  const { partialSuccess } = serializers[signal].deserializeResponse(body);
  if (!partialSuccess) return { isAccepted: true, rejected: 0 };
  const rejected =
    'rejectedSpans' in partialSuccess
      ? partialSuccess.rejectedSpans
      : 'rejectedDataPoints' in partialSuccess
        ? partialSuccess.rejectedDataPoints
        : 0;
  const reason = partialSuccess.errorMessage?.slice(0, MAX_MESSAGE) || undefined;
  return { isAccepted: true, rejected: Number(rejected ?? 0), reason };
}

function readAccepted(signal: Signal, body: Uint8Array): Received {
  try {
    return acceptedOf(signal, body);
  } catch {
    // The receiver has accepted the request, although its response is not one of OTLP.
    return { isAccepted: true, rejected: 0 };
  }
}

export function createTelemetryReceiver({ urls, readHeaders, isSigned }: ReceiverOptions): TelemetryReceiver {
  const handler = requestHandler('telemetry');

  const signed = (signal: Signal, request: HttpRequest) =>
    new SignatureV4({
      service: services[signal],
      region: environment('AWS_REGION'),
      credentials,
      sha256: Hash.bind(undefined, 'sha256'),
    }).sign(request);

  async function requestOf(signal: Signal, body: Uint8Array): Promise<HttpRequest> {
    const { protocol, hostname, port, pathname, host } = new URL(urls[signal]);
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path: pathname,
      headers: {
        ...(await readHeaders?.()),
        host,
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
        'user-agent': 'gpu-endpoints',
      },
      body: await compress(body),
    });
    return isSigned ? ((await signed(signal, request)) as HttpRequest) : request;
  }

  async function post(signal: Signal, body: Uint8Array, abortSignal: AbortSignal): Promise<Received> {
    const { response } = await handler.handle(await requestOf(signal, body), { abortSignal });
    const answer = await bodyOf(response);
    const { statusCode } = response;
    if (statusCode >= 200 && statusCode < 300) return readAccepted(signal, answer);
    return { isAccepted: false, mayRepeat: passing.includes(statusCode), reason: `HTTP ${statusCode}` };
  }

  return {
    async send(signal, body) {
      const late = AbortSignal.timeout(REQUEST_TIME);
      try {
        return await post(signal, body, late);
      } catch (error) {
        // Messages of errors can contain addresses and headers; their codes and names cannot.
        const { name = 'Error', code } = error as NodeJS.ErrnoException;
        return { isAccepted: false, mayRepeat: true, reason: late.aborted ? 'TIMEOUT' : (code ?? name) };
      }
    },
  };
}
