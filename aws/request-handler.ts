/** Limits of the calls to AWS: their duration, and the number of concurrent calls. */
import { NodeHttpHandler } from '@smithy/node-http-handler';
import pLimit from 'p-limit';
import { SECOND } from '../core/limits.ts';

/** Milliseconds until a response begins. */
const requestTimeouts = {
  /** Timeout of calls that read or write one item, which take milliseconds. */
  dynamodb: 5 * SECOND,
  /** Timeout of SQS, which holds a long poll for up to 20 s. */
  sqs: 25 * SECOND,
  /** Timeout of data keys and secrets. */
  keys: 5 * SECOND,
  /** Timeout of objects of up to 20 MB. */
  objects: 30 * SECOND,
  /** Timeout of calls that change a service. */
  services: 5 * SECOND,
  /** Timeout of a search of logs, which can read a few megabytes. */
  logs: 8 * SECOND,
} as const;

/** Milliseconds to connect to AWS, which usually takes only a few. */
const CONNECT = SECOND;

/**
 * Maximum number of concurrent requests of a client in a process. The SDK has 50 connections for them. A response
 * that is still being read keeps its connection.
 */
const AT_ONCE = 32;

/**
 * The SDK's request handler, with calls that wait for their turn. The SDK's own queue waits for a connection, and the
 * connection timeout runs in this queue, so most calls of a process that starts hundreds at the same time would fail.
 * In Lambda, a process serves one request at a time. A task of the ingress, and a function in `npm start`, serve
 * many.
 */
class PacedHandler extends NodeHttpHandler {
  readonly #turns = pLimit(AT_ONCE);

  override handle(...call: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    return this.#turns(() => super.handle(...call));
  }
}

/** The SDK repeats a call whose response does not begin in time, or fails it with a TimeoutError. */
export function requestHandler(service: keyof typeof requestTimeouts): NodeHttpHandler {
  // Without `throwOnRequestTimeout`, the SDK only writes a warning and continues to wait.
  return new PacedHandler({
    connectionTimeout: CONNECT,
    requestTimeout: requestTimeouts[service],
    throwOnRequestTimeout: true,
  });
}
