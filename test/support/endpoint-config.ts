import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import { carriedId } from '../../core/templates/drift.ts';

/** Returns the configuration that the stack of an endpoint on Fargate registers, without queues. */
export function endpointConfig(id: string, differences: Partial<EndpointConfig> = {}): EndpointConfig {
  return {
    id,
    template: carriedId(id),
    category: 'CPU',
    largestDiskInGb: 200,
    imageRepositories: [],
    normalQueueUrls: ['', ''],
    lowQueueUrls: ['', ''],
    cluster: 'fleet',
    service: id,
    logGroup: 'workers',
    family: `Endpoint-${id}`,
    blueprint: `arn:blueprint-${id}:1`,
    minWorkers: 0,
    maxWorkers: 3,
    idleTimeout: 60_000,
    executionTimeout: 600_000,
    ...differences,
  };
}
