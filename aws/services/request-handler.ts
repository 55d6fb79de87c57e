/** Limits of the calls to AWS: their duration, and the number of concurrent calls. */
import { NodeHttpHandler } from '@smithy/node-http-handler';
import pLimit from 'p-limit';
import { SECOND } from '../../core/limits.ts';

/** Timeouts until a response begins, in milliseconds. */
const requestTimeouts = {
  /** Timeout of calls that read or write one item, which take milliseconds. */
  dynamodb: 5 * SECOND,
  /** Timeout of SQS, which holds a long poll for up to 20 s. */
  sqs: 25 * SECOND,
  /** Timeout of data keys and secrets. */
  keys: 5 * SECOND,
  /** Timeout of objects of up to 20 MB. */
  objects: 30 * SECOND,
  /** Timeout of calls to ECS, and of the call that reads the account's quotas. */
  services: 5 * SECOND,
  /** Timeout of calls to Auto Scaling: a synchronous launch asks EC2 for instances. */
  launches: 20 * SECOND,
  /** Timeout of a search of logs, which can read a few megabytes. */
  logs: 8 * SECOND,
} as const;

/** Timeout of a connection to AWS in milliseconds. Connecting usually takes a few. */
const CONNECT = SECOND;

/**
 * Maximum number of concurrent requests of a client in a process. The SDK has 50 connections for these requests. A
 * response that is still being read keeps its connection.
 */
const AT_ONCE = 32;

/**
 * The SDK's request handler with a queue of calls. In the SDK's own queue, calls wait for a connection while their
 * connection timeout runs, so most calls would fail in a process that starts hundreds at the same time. In Lambda,
 * a process serves one request at a time. A task of the ingress, and a function in `npm start`, serve many
 * requests.
 */
class PacedHandler extends NodeHttpHandler {
  readonly #turns = pLimit(AT_ONCE);

  override handle(...call: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    const [request, ...rest] = call;
    // A listener of the connection keeps the request of this attempt. A copy can forget its body, which has up to
    // 20 MB, while another attempt still has the original.
    const attempt: typeof request = Object.assign(Object.create(Object.getPrototypeOf(request)), request);
    return this.#turns(() => super.handle(attempt, ...rest)).finally(() => {
      attempt.body = undefined;
    });
  }
}

/**
 * Returns a request handler. If a response does not begin in time, the SDK repeats the call or throws a
 * TimeoutError.
 */
export function requestHandler(service: keyof typeof requestTimeouts): NodeHttpHandler {
  // Without `throwOnRequestTimeout`, the SDK only writes a warning and continues to wait.
  return new PacedHandler({
    connectionTimeout: CONNECT,
    requestTimeout: requestTimeouts[service],
    throwOnRequestTimeout: true,
  });
}
