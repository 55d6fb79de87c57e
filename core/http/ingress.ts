/**
 * Constants that the distribution, API Gateway and the ingress share. The ingress is the service that serves calls that
 * wait, and bodies that a function cannot take (docs/architecture.md, "The front door").
 */
import { MINUTE, openAiLimits, SECOND } from '../limits.ts';
import type { JobOperation } from '../routes.ts';

/** Ports of the ingress. The port of a request decides whether its key is already checked. */
export const ingressPorts = {
  /** Requests from API Gateway: its authorizer has checked the key, and its usage plan has counted the request. */
  gateway: 8080,
  /** Requests from the distribution with bodies that API Gateway cannot carry: the ingress checks the key itself. */
  direct: 8081,
} as const;

/** Environment variables with the ports of the container. */
export const portVariables = { gateway: 'GATEWAY_PORT', direct: 'DIRECT_PORT' } as const;

/** Path of the health check, on both ports. */
export const HEALTH_PATH = '/health';

/** Headers in which API Gateway passes on facts about a request. It overwrites those that a client sends. */
export const gatewayHeaders = { owner: 'x-gateway-owner', requestId: 'x-gateway-request-id' } as const;

/**
 * Headers that the distribution sets, in place of a client's own: the address of the client, and a value that proves
 * that the request came through the distribution.
 */
export const distributionHeaders = { viewer: 'x-viewer-address', proof: 'x-distribution' } as const;

/** Operations that API Gateway passes to the ingress, because their calls may wait. */
export const waitingOperations = [
  'runsync',
  'status-sync',
  'stream',
  'openai',
] as const satisfies readonly JobOperation[];

/**
 * Requests with at least so many bytes, or with a body of unknown length, go from the distribution straight to the
 * ingress. API Gateway takes 10 MB. A function takes an event of 6,291,456 bytes, in which each byte of a body may
 * become two.
 */
export const directFrom = { run: 3_000_000, runsync: 10_000_000, openai: 10_000_000 } as const satisfies Partial<
  Record<JobOperation, number>
>;

/** Milliseconds of the longest call: the longest wait, and a minute to send the response. */
export const LONGEST_CALL = openAiLimits.wait + MINUTE;

/** Metric of a task of the ingress: calls under way. The service is scaled by its average. */
export const OPEN_CALLS_METRIC = 'OpenCalls';

/** Calls that wait in one task of the ingress at the same time. */
export const WAITS_PER_TASK = 2_000;

/**
 * A process that holds slots renews them every `beat`. Without a beat for `valid` it is dead, and its slots are free. A
 * beat may take `longest`, and a failed beat is repeated after `again`, so that one hanging call of AWS does not cost a
 * living process its slots.
 */
export const slotHolding = { beat: 5 * SECOND, longest: 3 * SECOND, again: SECOND, valid: 20 * SECOND } as const;

/**
 * Tasks of the ingress lease tokens of the direct way in blocks: a `share` of the requests that the contract allows in
 * `RATE_WINDOW`. A block lapses after `lapse`. Up to `tasks` tasks may hold blocks before the bucket refuses a request
 * that the contract allows.
 */
export const directBlocks = { share: 0.01, lapse: 5 * SECOND, tasks: 10 } as const;
