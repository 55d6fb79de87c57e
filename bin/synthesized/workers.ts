/** Finds where the tasks of a service run, in the synthesized stacks. */
import { type App, isValues, type Resource } from './app.ts';

/** Returns the endpoint whose workers a service runs, or undefined for other services. */
export const registrationOf = ({ resources }: App, service: Resource): Resource | undefined =>
  resources.find(({ type, stack }) => type === 'Custom::Endpoint' && stack === service.stack);

function strategyOf({ properties: { CapacityProviderStrategy } }: Resource): unknown {
  const [first]: unknown[] = Array.isArray(CapacityProviderStrategy) ? CapacityProviderStrategy : [];
  return isValues(first) ? first.CapacityProvider : undefined;
}

export interface Place {
  /** The task definition. */
  readonly task?: Resource | undefined;
  /** The group of EC2 instances that the tasks run on. */
  readonly group?: Resource | undefined;
}

export function placeOf(app: App, service: Resource): Place {
  // The service of an endpoint names a family, to which releases add revisions. They make these from the blueprint that
  // the endpoint registers.
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

/** Returns the launch template and the distribution of a group with mixed instances. */
function mixOf({ properties: { MixedInstancesPolicy } }: Resource) {
  const mixed = isValues(MixedInstancesPolicy) ? MixedInstancesPolicy : {};
  const template = isValues(mixed.LaunchTemplate) ? mixed.LaunchTemplate : {};
  return { template, distribution: isValues(mixed.InstancesDistribution) ? mixed.InstancesDistribution : {} };
}

/** Whether all instances of a group are Spot Instances. */
export function isSpotGroup(group: Resource): boolean {
  const percentage = mixOf(group).distribution.OnDemandPercentageAboveBaseCapacity;
  return percentage !== undefined && Number(percentage) === 0;
}

/** The types that the instances of a group may have. */
export function instanceTypes(app: App, group: Resource): string[] {
  const { template } = mixOf(group);
  const overrides: unknown[] = Array.isArray(template.Overrides) ? template.Overrides : [];
  const named = overrides.map((one) => (isValues(one) ? one.InstanceType : undefined));
  const specification = group.properties.LaunchTemplate ?? template.LaunchTemplateSpecification;
  const launched = isValues(specification) ? app.follow(group, specification.LaunchTemplateId) : undefined;
  const data = launched?.properties.LaunchTemplateData;
  const types = named.some((type) => typeof type === 'string')
    ? named
    : [isValues(data) ? data.InstanceType : undefined];
  return types.filter((type) => typeof type === 'string');
}
