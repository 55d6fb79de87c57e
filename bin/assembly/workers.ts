/** Finds where the tasks of a service run, in the synthesized stacks. */
import { type App, isValues, type Resource } from './app.ts';

/** Returns the endpoint whose workers a service runs, or undefined if the service has no endpoint. */
export const registrationOf = ({ resources }: App, service: Resource): Resource | undefined =>
  resources.find(({ type, stack }) => type === 'Custom::Endpoint' && stack === service.stack);

function strategyOf({ properties: { CapacityProviderStrategy } }: Resource): unknown {
  const [first]: unknown[] = Array.isArray(CapacityProviderStrategy) ? CapacityProviderStrategy : [];
  return isValues(first) ? first.CapacityProvider : undefined;
}

export interface Place {
  /** Task definition of the workers. */
  readonly task?: Resource | undefined;
  /** Auto Scaling group whose EC2 instances run the tasks. */
  readonly group?: Resource | undefined;
}

export function placeOf(app: App, service: Resource): Place {
  // The service of an endpoint refers to a task definition family. Releases add revisions to it, which they
  // create from the blueprint that the endpoint registers.
  const registration = registrationOf(app, service);
  const task = app.follow(
    service,
    registration ? registration.properties.blueprint : service.properties.TaskDefinition,
  );
  const provider = app.follow(service, strategyOf(service));
  const settings = provider?.properties.AutoScalingGroupProvider;
  const group = provider && isValues(settings) ? app.follow(provider, settings.AutoScalingGroupArn) : undefined;
  return { task, group };
}

export const isOnFargate = ({ properties: { RequiresCompatibilities } }: Resource): boolean =>
  Array.isArray(RequiresCompatibilities) && RequiresCompatibilities.includes('FARGATE');

export const isOnSpot = (service: Resource): boolean => strategyOf(service) === 'FARGATE_SPOT';

/** Returns the launch template and the distribution of a group with a mixed instances policy. */
function mixOf({ properties: { MixedInstancesPolicy } }: Resource) {
  const mixed = isValues(MixedInstancesPolicy) ? MixedInstancesPolicy : {};
  const template = isValues(mixed.LaunchTemplate) ? mixed.LaunchTemplate : {};
  return { template, distribution: isValues(mixed.InstancesDistribution) ? mixed.InstancesDistribution : {} };
}

/** Returns whether all instances of a group are Spot Instances. */
export function isSpotGroup(group: Resource): boolean {
  const percentage = mixOf(group).distribution.OnDemandPercentageAboveBaseCapacity;
  return percentage !== undefined && Number(percentage) === 0;
}

/** Returns the data of the launch template of a group, or undefined if the stacks do not contain it. */
function launchDataOf(app: App, group: Resource): Readonly<Record<string, unknown>> | undefined {
  const specification = group.properties.LaunchTemplate ?? mixOf(group).template.LaunchTemplateSpecification;
  const launched = isValues(specification) ? app.follow(group, specification.LaunchTemplateId) : undefined;
  const data = launched?.properties.LaunchTemplateData;
  return isValues(data) ? data : undefined;
}

/** Returns the EBS volumes of each instance of a group. */
export function volumesOf(app: App, group: Resource): Readonly<Record<string, unknown>>[] {
  const mappings: unknown = launchDataOf(app, group)?.BlockDeviceMappings;
  const volumes: unknown[] = Array.isArray(mappings)
    ? mappings.map((one) => (isValues(one) ? one.Ebs : undefined))
    : [];
  return volumes.filter(isValues);
}

/** Returns the instance types that a group can start. */
export function instanceTypes(app: App, group: Resource): string[] {
  const { template } = mixOf(group);
  const overrides: unknown[] = Array.isArray(template.Overrides) ? template.Overrides : [];
  const named = overrides.map((one) => (isValues(one) ? one.InstanceType : undefined));
  const types = named.some((type) => typeof type === 'string') ? named : [launchDataOf(app, group)?.InstanceType];
  return types.filter((type) => typeof type === 'string');
}
