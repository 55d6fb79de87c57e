/** How a client talks to AWS: how long a call may take, and how many there are at the same time. */
import { NodeHttpHandler } from '@smithy/node-http-handler';
import pLimit from 'p-limit';
import { SECOND } from '../core/limits.ts';

/** Milliseconds until a response begins. */
const requestTimeouts = {
  /** A call for one item takes milliseconds. */
  dynamodb: 5 * SECOND,
  /** SQS holds a long poll for up to 20 s. */
  sqs: 25 * SECOND,
  /** Keys of data, and secrets. */
  keys: 5 * SECOND,
  /** Objects have up to 20 MB. */
  objects: 30 * SECOND,
  /** Calls that move a service. */
  services: 5 * SECOND,
  /** A search of logs may look through a few megabytes. */
  logs: 8 * SECOND,
} as const;

/** To reach AWS takes milliseconds. */
const CONNECT = SECOND;

/**
 * Requests of a client that are under way at the same time, in a process. The SDK has 50 connections for them; a response
 * that is still being read keeps its own.
 */
const AT_ONCE = 32;

/**
 * The handler of the SDK, with calls that wait for their turn. Its own queue is that for a connection, in which the time to
 * connect runs out: a process that begins hundreds of calls at once would fail most of them. In Lambda a process
 * serves one request at a time; a task of the ingress, and on `npm start` a function, serves many.
 */
class PacedHandler extends NodeHttpHandler {
  readonly #turns = pLimit(AT_ONCE);

  override handle(...call: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    return this.#turns(() => super.handle(...call));
  }
}

/** A call whose response does not begin in time is made again by the SDK, or fails with a TimeoutError. */
export function requestHandler(service: keyof typeof requestTimeouts): NodeHttpHandler {
  // Without the last one the SDK writes a warning and waits on.
  return new PacedHandler({
    connectionTimeout: CONNECT,
    requestTimeout: requestTimeouts[service],
    throwOnRequestTimeout: true,
  });
}
