/**
 * Constants of the ingress, some of which the distribution and API Gateway share. The ingress serves calls that wait,
 * and bodies that are too large for a function (docs/explanation/front-door.md).
 */
import { MINUTE, openAiLimits, SECOND } from '../limits.ts';
import { linkRoute, stages } from '../operations/routes.ts';

/** Ports of the ingress. The port of a request determines whether its key has already been checked. */
export const ingressPorts = {
  /** Requests from API Gateway: its authorizer has checked the key, and its usage plan has counted the request. */
  gateway: 8080,
  /**
   * Requests from the distribution with bodies that are too large for API Gateway or a function: the ingress checks
   * the key itself.
   */
  direct: 8081,
} as const;

/** Environment variables with the ports of the container. */
export const portVariables = { gateway: 'GATEWAY_PORT', direct: 'DIRECT_PORT' } as const;

/** Path of the health check, on both ports. */
export const HEALTH_PATH = '/health';

/**
 * First segment of the paths that API Gateway requests from the ingress. Its documentation states that it puts the
 * stage before the path of a private integration. This segment marks where the path of the integration begins, with
 * or without the stage before it.
 */
export const INTEGRATION_PATH = '/gateway';

/** Paths of requests of API Gateway for `linkRoute`, which the ingress answers as it answers its health check. */
export const linkPaths: readonly string[] = ['', `/${stages.jobs}`].map(
  (stage) => stage + INTEGRATION_PATH + linkRoute.path,
);

/**
 * Headers in which API Gateway passes facts about a request. API Gateway overwrites headers of these names from
 * clients. `operation` and `endpoint` are what the authorizer has permitted, the endpoint in percent-encoding.
 */
export const gatewayHeaders = {
  owner: 'x-gateway-owner',
  keyId: 'x-gateway-key-id',
  operation: 'x-gateway-operation',
  endpoint: 'x-gateway-endpoint',
  requestId: 'x-gateway-request-id',
} as const;

/**
 * Headers that the distribution sets, replacing those of the client: the client's address, and a value that proves
 * that the request passed through the distribution.
 */
export const distributionHeaders = { viewer: 'x-viewer-address', proof: 'x-distribution' } as const;

/**
 * End of the proof with which API Gateway replaces the proof of a request that it passes to the ingress. The web ACL has
 * counted such a request before, and the load balancer sees only addresses of the VPC link.
 */
export const COUNTED = '-counted';

/** Error message for a path whose percent-encoding is not valid, from API Gateway and from the ingress. */
export const INVALID_PATH =
  'The path is not valid: each of its segments must be UTF-8 in percent-encoding, such as `%C3%A9` for `é`.';

/** Duration of the longest call in milliseconds: the longest wait, and a minute to send the response. */
export const MAX_CALL_DURATION = openAiLimits.wait + MINUTE;

/** Metric of an ingress task: its calls in progress. The service scales by the average. */
export const OPEN_CALLS_METRIC = 'OpenCalls';

/** Time between two samples of a task, each the largest number of calls in it. CloudWatch stores them by the minute. */
export const OPEN_CALLS_PERIOD = MINUTE / 4;

/** Maximum number of calls that wait at the same time in one ingress task. */
export const WAITS_PER_TASK = 2_000;

/**
 * A process that holds slots renews them every `beat`. After `valid` without a beat, the process counts as dead
 * and its slots are free. A beat can take up to `maxTime`, and a failed beat is repeated after `again`, so that
 * one hanging AWS call does not cost a live process its slots.
 */
export const slotHolding = { beat: 5 * SECOND, maxTime: 3 * SECOND, again: SECOND, valid: 20 * SECOND } as const;

/**
 * Ingress tasks reserve rate-limit tokens for direct requests in blocks. A block is a `share` of the requests that
 * the contract allows in `RATE_WINDOW`, and is renewed after `renewal`. Up to `tasks` tasks can hold blocks before the
 * bucket refuses a request that the contract allows.
 */
export const directBlocks = { share: 0.01, renewal: 5 * SECOND, tasks: 10 } as const;
