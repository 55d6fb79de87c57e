/** Request handlers of the SDK's clients: how long and how often a process waits for AWS. */
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import pLimit from 'p-limit';
import { SECOND } from '../core/limits.ts';

/** Maximum times until a response begins, in milliseconds. */
const requestTimeouts = {
  /** Calls that read or write one item, which take milliseconds. */
  dynamodb: 5 * SECOND,
  /** SQS holds a long poll for up to 20 s. */
  sqs: 25 * SECOND,
  /** Data keys and secrets. */
  keys: 5 * SECOND,
  /** Objects of up to 20 MB. */
  objects: 30 * SECOND,
  /** Calls to ECS, Step Functions and API Gateway, and the call that reads the account's quotas. */
  services: 5 * SECOND,
  /** Calls to Auto Scaling: a synchronous launch asks EC2 for instances. */
  launches: 20 * SECOND,
  /** A search of logs, which can read a few megabytes. */
  logs: 8 * SECOND,
} as const;

/** Maximum time for a connection to AWS in milliseconds. Connecting usually takes a few. */
const CONNECT = SECOND;

/**
 * Maximum number of requests of a client that wait for a response. Other requests wait for their turn, and their
 * timeouts begin when they are sent, because a process may start hundreds of requests at the same time: in Lambda, a
 * process serves one request at a time, but a task of the ingress serves many.
 */
const AT_ONCE = 32;

/**
 * Returns the request handler of a client. It throws a TimeoutError if a response does not begin in time or the
 * connection is lost, and an AbortError after the signal of the call.
 */
export function requestHandler(service: keyof typeof requestTimeouts): NodeHttpHandler {
  const options: NodeHttpHandlerOptions = {
    connectionTimeout: CONNECT,
    requestTimeout: requestTimeouts[service],
    throwOnRequestTimeout: true,
  };
  const limit = pLimit(AT_ONCE);
  return new (class extends NodeHttpHandler {
    override handle(...call: Parameters<NodeHttpHandler['handle']>) {
      return limit(() => super.handle(...call));
    }
  })(options);
}
