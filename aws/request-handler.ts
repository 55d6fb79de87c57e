/** Request handlers of the SDK's clients: timeouts, and the maximum number of concurrent requests. */
import { addAbortListener } from 'node:events';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import pLimit from 'p-limit';
import { SECOND } from '../core/limits.ts';

/** Maximum times until a response begins, in milliseconds. */
const requestTimeouts = {
  /** Calls that read or write one item, which take milliseconds. */
  dynamodb: 5 * SECOND,
  /** SQS holds a long poll for up to 20 s. */
  sqs: 25 * SECOND,
  /** Calls to KMS and Secrets Manager. */
  keys: 5 * SECOND,
  /** Objects of up to 20 MB. */
  objects: 30 * SECOND,
  /** Calls to ECS, Step Functions and API Gateway, and the call that reads the account's quotas. */
  services: 5 * SECOND,
  /** Calls to Auto Scaling: a synchronous launch asks EC2 for instances. */
  launches: 20 * SECOND,
  /** Requests of telemetry, which have a timeout of their own. */
  telemetry: 5 * SECOND,
  /** A search of logs, which can read a few megabytes. */
  logs: 8 * SECOND,
} as const;

/** Maximum time for a connection to AWS in milliseconds. Connecting usually takes a few. */
const CONNECT = SECOND;

/**
 * Maximum number of concurrent requests of a client. Further requests are queued, and the timeout of a request begins
 * when it is sent. A task of the ingress can start hundreds at once.
 */
const MAX_CONCURRENT = 32;

/**
 * Returns the request handler of a client. It throws a TimeoutError if a response does not begin in time or the
 * connection is lost, and an AbortError as soon as the signal of the call aborts, also while the request is queued.
 */
export function requestHandler(service: keyof typeof requestTimeouts): NodeHttpHandler {
  const options: NodeHttpHandlerOptions = {
    connectionTimeout: CONNECT,
    requestTimeout: requestTimeouts[service],
    throwOnRequestTimeout: true,
  };
  const limit = pLimit(MAX_CONCURRENT);
  return new (class extends NodeHttpHandler {
    override async handle(...call: Parameters<NodeHttpHandler['handle']>) {
      const signal = call[1]?.abortSignal;
      const response = limit(() => super.handle(...call));
      if (!(signal instanceof AbortSignal)) return response;
      const { promise: aborted, resolve } = Promise.withResolvers<Awaited<typeof response>>();
      // After the abort, the handler of the SDK sends nothing and throws its AbortError.
      const listener = addAbortListener(signal, () => resolve(super.handle(...call)));
      try {
        return await Promise.race([response, aborted]);
      } finally {
        listener[Symbol.dispose]();
      }
    }
  })(options);
}
