/** Changes the stack of an endpoint as a deployment of a new version does. */
import type { Resources } from './assembly.ts';

/** Returns the only resource of the type. */
function only(resources: Resources, type: string): Record<string, unknown> {
  const found = Object.values(resources).find(({ Type }) => Type === type);
  if (!found) throw new Error(`The stack has no ${type}.`);
  return found.Properties;
}

/** Changes a service as a deployment with another tag does, and its workers as an upgrade of the agent does. */
export function upgrade(resources: Resources): void {
  const [agent] = only(resources, 'AWS::ECS::TaskDefinition').ContainerDefinitions as [{ Environment: object[] }];
  agent.Environment.push({ Name: 'UPGRADED', Value: 'true' });
  tag(resources);
}

export function tag(resources: Resources): void {
  (only(resources, 'AWS::ECS::Service').Tags as object[]).push({ Key: 'team', Value: 'a' });
  const { tags } = only(resources, 'Custom::LiveCount').service as { tags: object[] };
  tags.push({ key: 'team', value: 'a' });
}
