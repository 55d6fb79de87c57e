/** The `AWS_PROXY` integration of a method: its definition, and its call to the function. */
import type { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import { EventTooLarge, FunctionThrottled } from '../functions/call.ts';
import type { Functions } from '../functions/functions.ts';
import { LocalError } from '../local-error.ts';
import type { method } from './definitions.ts';
import { type HttpAnswer, Refusal } from './gateway-response.ts';
import { proxyResponse } from './proxy-response.ts';
import { streamedResponse, wholeResponse } from './streamed-response.ts';

export interface Integration {
  readonly functionArn: string;
  /** Milliseconds within which the whole response must arrive. */
  readonly timeout: number;
  /** Whether the response is streamed. */
  readonly streamed: boolean;
}

/** Maximum `TimeoutInMillis` of API Gateway for each response transfer mode. */
const maxTimeouts = { BUFFERED: 29_000, STREAM: 900_000 } as const;

const invocations = {
  BUFFERED: /\/2015-03-31\/functions\/(?<functionArn>arn:[^/]+)\/invocations$/,
  STREAM: /\/2021-11-15\/functions\/(?<functionArn>arn:[^/]+)\/response-streaming-invocations$/,
} as const;

/**
 * Returns the ARN of the function in an integration URI.
 * @throws LocalError if the URI is not that of a function with this kind of invocation
 */
export function functionIn(uri: string, where: string, mode: keyof typeof invocations = 'BUFFERED'): string {
  const functionArn = invocations[mode].exec(uri)?.groups?.functionArn;
  if (functionArn) return functionArn;
  const wanted = mode === 'STREAM' ? 'a streamed invocation' : 'the invocation';
  throw new LocalError(`${where} cannot run here: ${uri} is not ${wanted} of a function.`);
}

/**
 * Builds the integration.
 * @throws LocalError for a setting that API Gateway would refuse
 */
export function integrationOf(
  properties: Extract<z.output<typeof method>['Integration'], { Type: 'AWS_PROXY' }>,
  where: string,
): Integration {
  const { ResponseTransferMode: mode, TimeoutInMillis: timeout, Uri } = properties;
  const maxTimeout = maxTimeouts[mode];
  if (timeout > maxTimeout)
    throw new LocalError(
      `${where} cannot run here: its TimeoutInMillis is ${timeout}, and API Gateway waits at most ${maxTimeout} ms for a ${mode} response.`,
    );
  return { functionArn: functionIn(Uri, where, mode), timeout, streamed: mode === 'STREAM' };
}

function refusalFor(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof FunctionThrottled) return new Refusal('INTEGRATION_THROTTLED', { cause });
  return new Refusal(cause instanceof EventTooLarge ? 'REQUEST_TOO_LARGE' : 'INTEGRATION_MALFORMED', { cause });
}

/** Ends the output at the timeout: with status 504 before the first byte, or by cutting it later. */
function limitTime(output: Readable, limit: number): void {
  const timer = setTimeout(() => output.destroy(new Refusal('INTEGRATION_TIMEOUT')), limit);
  output.once('close', () => clearTimeout(timer));
}

/**
 * Calls the function. The timeout starts when the execution begins: in AWS no call waits for others of its function.
 * @throws Refusal at the timeout
 */
async function invokeWithin(limit: number, invoke: (begun: () => void) => Promise<string>): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const begun = () => {
    timer = setTimeout(() => reject(new Refusal('INTEGRATION_TIMEOUT')), limit);
  };
  return Promise.race([invoke(begun), promise]).finally(() => clearTimeout(timer));
}

/**
 * Calls the function.
 * @throws Refusal if the function returns no response, or a response in a format that API Gateway refuses
 */
export async function integrate(
  functions: Functions,
  { functionArn, timeout, streamed }: Integration,
  event: object,
): Promise<HttpAnswer> {
  try {
    if (!streamed)
      return proxyResponse(await invokeWithin(timeout, (begun) => functions.invoke(functionArn, event, begun)));
    const { output, whole } = functions.invokeStreaming(functionArn, event);
    limitTime(output, timeout);
    const ended = await whole;
    if (!ended) return await streamedResponse(output);
    output.destroy();
    return wholeResponse(ended);
  } catch (error) {
    throw refusalFor(error);
  }
}
