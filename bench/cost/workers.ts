/** What an hour of a worker costs, and how many workers are always there. */

import { type App, isValues, type Resource } from '../app.ts';
import type { Prices } from '../prices/prices.ts';
import { charge, type Rule } from './charge.ts';

const UNITS_PER_VCPU = 1_024;
const MIB_PER_GB = 1_024;
const CALCULATOR = 'https://calculator.aws';

export interface WorkerHour {
  readonly endpoint: string;
  /** What it runs on, in words. */
  readonly runsOn: string;
  readonly minWorkers: number;
  readonly maxWorkers: number;
  /** US dollars; without, the price is not known. */
  readonly hour?: number;
}

interface Hour {
  readonly runsOn: string;
  readonly hour?: number;
}

function fargateHour({ properties }: Resource, { perHour }: Prices): Hour {
  const { Cpu, Memory, RuntimePlatform } = properties;
  const [cpu, memory] = [Number(Cpu) / UNITS_PER_VCPU, Number(Memory) / MIB_PER_GB];
  const architecture = isValues(RuntimePlatform) ? (RuntimePlatform.CpuArchitecture ?? 'X86_64') : 'X86_64';
  const runsOn = `Fargate ${architecture}, ${cpu} vCPU, ${memory} GB`;
  if (architecture !== 'X86_64' || Number.isNaN(cpu + memory)) return { runsOn };
  return { runsOn, hour: cpu * perHour.fargateVcpu.price + memory * perHour.fargateGb.price };
}

/** The types that a group of instances may be made of, wherever it says so. */
function instanceTypes(app: App, group: Resource): string[] {
  const { properties } = group;
  const mixed = isValues(properties.MixedInstancesPolicy) ? properties.MixedInstancesPolicy.LaunchTemplate : undefined;
  const overrides = isValues(mixed) && Array.isArray(mixed.Overrides) ? mixed.Overrides : [];
  const named: unknown[] = overrides.map((one) => (isValues(one) ? one.InstanceType : undefined));
  const specification = properties.LaunchTemplate ?? (isValues(mixed) ? mixed.LaunchTemplateSpecification : undefined);
  const template = isValues(specification) ? app.follow(group, specification.LaunchTemplateId) : undefined;
  const data = template?.properties.LaunchTemplateData;
  const types = named.some((type) => typeof type === 'string')
    ? named
    : [isValues(data) ? data.InstanceType : undefined];
  return types.filter((type) => typeof type === 'string');
}

/** Of several types the dearest counts: which of them comes is not known before. */
export function instanceHour(app: App, group: Resource, { instanceHour: known }: Prices): Hour {
  const types = instanceTypes(app, group);
  const runsOn = `EC2 ${types.join(' or ') || 'of unknown type'}`;
  const hours = types.map((type) => known[type]?.price);
  const priced = hours.filter((hour) => hour !== undefined);
  return types.length > 0 && priced.length === hours.length ? { runsOn, hour: Math.max(...priced) } : { runsOn };
}

function hourOf(app: App, service: Resource, prices: Prices): Hour {
  const task = app.follow(service, service.properties.TaskDefinition);
  const compatible = task?.properties.RequiresCompatibilities;
  if (task && Array.isArray(compatible) && compatible.includes('FARGATE')) return fargateHour(task, prices);
  const [strategy]: unknown[] = Array.isArray(service.properties.CapacityProviderStrategy)
    ? service.properties.CapacityProviderStrategy
    : [];
  const provider = isValues(strategy) ? app.follow(service, strategy.CapacityProvider) : undefined;
  const settings = provider?.properties.AutoScalingGroupProvider;
  const group = provider && isValues(settings) ? app.follow(provider, settings.AutoScalingGroupArn) : undefined;
  return group ? instanceHour(app, group, prices) : { runsOn: 'what is not said in the stacks' };
}

const registrationOf = ({ resources }: App, service: Resource): Resource | undefined =>
  resources.find(({ type, stack }) => type === 'Custom::Endpoint' && stack === service.stack);

const UNKNOWN = `the price of its hours is not known here, see ${CALCULATOR}`;

/** How many tasks of a service are there while nothing runs; the scaler keeps an endpoint's at `minWorkers`. */
function standingTasks(app: App, service: Resource): number {
  const wanted = registrationOf(app, service)?.properties.minWorkers ?? service.properties.DesiredCount ?? 1;
  return Number(wanted);
}

export const service: Rule = ({ resource, app, prices }) => {
  const count = standingTasks(app, resource);
  if (count === 0) return {};
  const { runsOn, hour } = hourOf(app, resource, prices);
  if (hour === undefined || Number.isNaN(count)) return { unpriced: `${count} tasks on ${runsOn}: ${UNKNOWN}` };
  return { charges: [charge(`tasks on ${runsOn}`, count, 'hour', hour)] };
};

/** Instances that are there without a task. Those that come with tasks are counted with the service. */
export const instances: Rule = ({ resource, app, prices }) => {
  const count = Number(resource.properties.MinSize);
  if (count === 0) return {};
  const { runsOn, hour } = instanceHour(app, resource, prices);
  if (hour === undefined || Number.isNaN(count)) return { unpriced: `${count} instances of ${runsOn}: ${UNKNOWN}` };
  return { charges: [charge(`instances of ${runsOn}`, count, 'hour', hour)] };
};

/** One line for each endpoint. */
export function workerHours(app: App, prices: Prices): WorkerHour[] {
  return app.resources.flatMap((resource) => {
    const registration = resource.type === 'AWS::ECS::Service' ? registrationOf(app, resource) : undefined;
    if (!registration) return [];
    const { id, minWorkers, maxWorkers } = registration.properties;
    const workers = { minWorkers: Number(minWorkers), maxWorkers: Number(maxWorkers) };
    return [{ endpoint: String(id), ...workers, ...hourOf(app, resource, prices) }];
  });
}
