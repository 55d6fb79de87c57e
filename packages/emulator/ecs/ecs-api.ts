/** The API of ECS on this machine. */
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import { authorizationOf } from './ecs-authorization.ts';
import { asInput, asOperation, type Input, type Operation } from './ecs-input.ts';
import { onTheWire } from './ecs-output.ts';
import { clusterName } from './names.ts';
import type { EcsDefinitions } from './registry.ts';
import { serviceOperations } from './service-operations.ts';
import { taskDefinitionOperations } from './task-definition-operations.ts';

/** Creates the API of the services in `ecs`, including services that are added later. */
export function createEcsApi(ecs: Pick<EcsDefinitions, 'clusters' | 'families' | 'running' | 'memory'>): JsonService {
  const handlers = { ...serviceOperations(ecs), ...taskDefinitionOperations(ecs.families) };
  return {
    async call(name, input, { sessionArn }) {
      const operation = asOperation(name);
      const parsed = asInput(operation, input);
      if ('cluster' in parsed && !ecs.clusters.has(clusterName(parsed.cluster)))
        throw new AwsFault(400, 'ClusterNotFoundException', 'Cluster not found.');
      const handle = handlers[operation] as (input: Input<Operation>, caller: string) => unknown;
      return onTheWire(handle(parsed, sessionArn));
    },
    authorization(name, input) {
      const operation = asOperation(name);
      return authorizationOf(ecs, operation, asInput(operation, input));
    },
  };
}
