/** Endpoints as `GET /v1/endpoints` returns them, for tests of the console. */
import type { Endpoint, Health, Release } from '../api/management-types.ts';

interface Facts {
  readonly jobs?: Partial<Health['jobs']>;
  readonly workers?: Partial<Health['workers']>;
  readonly waitReason?: Health['waitReason'];
  readonly waitDetail?: string;
  readonly release?: Release;
  readonly image?: string;
  readonly workerPrice?: Endpoint['workerPrice'];
}

export function endpointOf(id: string, facts: Facts = {}): Endpoint {
  const { jobs, workers, waitReason, waitDetail, release, workerPrice, image = 'registry.example/worker:1' } = facts;
  return {
    id,
    image,
    template: { id: `template-of-${id}`, name: `Template ${id}`, version: 7 },
    minWorkers: 0,
    maxWorkers: 8,
    executionTimeout: 600_000,
    ...(workerPrice && { workerPrice }),
    ...(release && { release }),
    health: {
      jobs: { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0, ...jobs },
      workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0, ...workers },
      ...(waitReason && { waitReason }),
      ...(waitDetail !== undefined && { waitDetail }),
    },
  };
}
