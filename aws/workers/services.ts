/** The ECS services that run workers. */
import { DescribeServicesCommand, ECSClient, UpdateServiceCommand } from '@aws-sdk/client-ecs';
import type { Services } from '../../core/endpoints/store.ts';
import { requestHandler } from '../request-handler.ts';

export function createServices(): Services {
  const ecs = new ECSClient({ requestHandler: requestHandler('services') });
  return {
    async desired({ cluster, service }) {
      const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [service] }));
      return services[0]?.desiredCount;
    },

    async setDesired({ cluster, service }, count) {
      await ecs.send(new UpdateServiceCommand({ cluster, service, desiredCount: count }));
    },
  };
}
