/** The ECS services that run workers. */
import { DescribeServicesCommand, ECSClient, UpdateServiceCommand } from '@aws-sdk/client-ecs';
import type { Services } from '../../core/endpoints/store.ts';
import { requestHandler } from '../request-handler.ts';
import { batchesOf } from './batches.ts';

/** Maximum number of services that ECS describes in one call. */
const MAX_DESCRIBED = 10;

export function createServices(): Services {
  const ecs = new ECSClient({ requestHandler: requestHandler('services') });
  return {
    async desiredOf(names) {
      const counts = new Map<string, number>();
      const batches = [...Map.groupBy(names, ({ cluster }) => cluster).values()].flatMap((its) =>
        batchesOf(its, MAX_DESCRIBED),
      );
      // One call after another, because ECS limits the rate of these calls.
      for (const batch of batches) {
        const services = batch.map(({ service }) => service);
        const { services: found = [] } = await ecs.send(
          new DescribeServicesCommand({ cluster: batch[0]?.cluster, services }),
        );
        for (const { serviceName, desiredCount } of found)
          if (serviceName !== undefined && desiredCount !== undefined) counts.set(serviceName, desiredCount);
      }
      return counts;
    },

    async desired({ cluster, service }) {
      const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [service] }));
      return services[0]?.desiredCount;
    },

    async setDesired({ cluster, service }, count) {
      await ecs.send(new UpdateServiceCommand({ cluster, service, desiredCount: count }));
    },
  };
}
