/** Where the tasks of a service run, as the synthesized stacks say it. */
import { type App, isValues, type Resource } from './app.ts';

/** The endpoint whose workers a service runs, if it runs workers. */
export const registrationOf = ({ resources }: App, service: Resource): Resource | undefined =>
  resources.find(({ type, stack }) => type === 'Custom::Endpoint' && stack === service.stack);

function strategyOf({ properties: { CapacityProviderStrategy } }: Resource): unknown {
  const [first]: unknown[] = Array.isArray(CapacityProviderStrategy) ? CapacityProviderStrategy : [];
  return isValues(first) ? first.CapacityProvider : undefined;
}

export interface Place {
  /** What the tasks are made from. */
  readonly task?: Resource | undefined;
  /** The group of EC2 instances that the tasks are put on. */
  readonly group?: Resource | undefined;
}

export function placeOf(app: App, service: Resource): Place {
  // The service of an endpoint names a family, which releases fill; what they make revisions from is what the endpoint
  // registers.
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

/** What is common to the two ways in which a group names its launch template. */
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
