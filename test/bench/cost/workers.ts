/** Calculates the cost of an hour of a worker, and the number of workers that always run. */

import { type App, isValues, type Resource } from '../../../bin/synthesized/app.ts';
import {
  instanceTypes,
  isOnFargate,
  isOnSpot,
  isSpotGroup,
  placeOf,
  registrationOf,
} from '../../../bin/synthesized/workers.ts';
import type { Prices } from '../../../lib/prices/prices.ts';
import {
  gbOf,
  fargateHour as hourOfSize,
  instanceHour as hourOfTypes,
  vcpusOf,
} from '../../../lib/prices/worker-hour.ts';
import { charge, type Rule, type Use } from './charge.ts';

const CALCULATOR = 'https://calculator.aws';

export interface WorkerHour {
  readonly endpoint: string;
  /** The worker's capacity, in words. */
  readonly runsOn: string;
  readonly minWorkers: number;
  readonly maxWorkers: number;
  /** US dollars. Undefined if the price is not known. */
  readonly hour?: number;
  /**
   * What the instances of a first job cost at most after their last task, in US dollars. Absent on Fargate, and if the
   * price is not known.
   */
  readonly empty?: number;
}

interface Hour {
  readonly runsOn: string;
  readonly hour?: number;
}

/** The Spot price changes every hour, and never exceeds the On-Demand price. */
const SPOT = ', Spot: at most';

function fargateHour({ properties }: Resource, spot: boolean, prices: Prices): Hour {
  const { Cpu, Memory, RuntimePlatform, EphemeralStorage } = properties;
  const architecture = isValues(RuntimePlatform) ? (RuntimePlatform.CpuArchitecture ?? 'X86_64') : 'X86_64';
  const disk = EphemeralStorage ? ', more disk' : '';
  const size = { architecture: String(architecture), cpu: Number(Cpu), memory: Number(Memory) };
  const runsOn = `Fargate ${architecture}, ${vcpusOf(size)} vCPU, ${gbOf(size)} GB${disk}${spot ? SPOT : ''}`;
  const hour = disk ? undefined : hourOfSize(prices, size);
  return { runsOn, ...(hour !== undefined && { hour }) };
}

export function instanceHour(app: App, group: Resource, prices: Prices): Hour {
  const types = instanceTypes(app, group);
  const runsOn = `EC2 ${types.join(' or ') || 'of unknown type'}${isSpotGroup(group) ? SPOT : ''}`;
  const hour = hourOfTypes(prices, Object.fromEntries(types.map((type) => [type, 1])));
  return { runsOn, ...(hour !== undefined && { hour }) };
}

export function hourOf(app: App, service: Resource, prices: Prices): Hour {
  const { task, group } = placeOf(app, service);
  if (task && isOnFargate(task)) return fargateHour(task, isOnSpot(service), prices);
  return group ? instanceHour(app, group, prices) : { runsOn: 'capacity that the stacks do not name' };
}

const UNKNOWN = `the price of its hours is not known here, see ${CALCULATOR}`;

/** Returns the bounds that Application Auto Scaling has for the task count of a service, if there are any. */
const scalingOf = ({ resources }: App, { stack, id }: Resource): Resource | undefined =>
  resources.find(
    ({ type, stack: its, properties }) =>
      type === 'AWS::ApplicationAutoScaling::ScalableTarget' &&
      its === stack &&
      JSON.stringify(properties.ResourceId).includes(`"${id}"`),
  );

/**
 * Returns the number of tasks of a service while nothing runs. The scaler keeps the number for an endpoint at
 * `minWorkers`.
 */
function standingTasks(app: App, service: Resource): number {
  const wanted =
    registrationOf(app, service)?.properties.minWorkers ??
    scalingOf(app, service)?.properties.MinCapacity ??
    service.properties.DesiredCount;
  return Number(wanted ?? 1);
}

/** Secrets of workers are in no template, because the operator creates them with a command. */
const secrets: readonly Use[] = ['secret', 'secretRequest'];

export const service: Rule = ({ resource, app, prices }) => {
  const byUse = registrationOf(app, resource) ? secrets : [];
  const count = standingTasks(app, resource);
  if (count === 0) return { byUse };
  const { runsOn, hour } = hourOf(app, resource, prices);
  if (hour === undefined || Number.isNaN(count)) return { byUse, unpriced: `${count} tasks on ${runsOn}: ${UNKNOWN}` };
  return { byUse, charges: [charge(`tasks on ${runsOn}`, count, 'hour', hour)] };
};

/**
 * Returns the charges for instances that run without a task. Instances that tasks start are counted with the
 * service.
 */
export const instances: Rule = ({ resource, app, prices }) => {
  const count = Number(resource.properties.MinSize);
  if (count === 0) return {};
  const { runsOn, hour } = instanceHour(app, resource, prices);
  if (hour === undefined || Number.isNaN(count)) return { unpriced: `${count} instances of ${runsOn}: ${UNKNOWN}` };
  return { charges: [charge(`instances of ${runsOn}`, count, 'hour', hour)] };
};

/** Minutes after which ECS ends an empty instance, and instances that ECS launches for the first task of a pool. */
const byEcs = { minutes: 15, instances: 2 } as const;
/** Minutes in which the service notices that an instance is empty, and that its time has passed. */
const NOTICED = 2;

/** Returns the hours of empty instances after the only worker of an endpoint on a pool. */
function emptyHours(registration: Resource): number {
  const [, emptyFor] = /emptyFor\W+(\d+)/.exec(JSON.stringify(registration.properties.placement ?? '')) ?? [];
  if (emptyFor === undefined) return (byEcs.instances * byEcs.minutes) / 60;
  return (Number(emptyFor) / 60_000 + NOTICED) / 60;
}

/** Returns one line for each endpoint. */
export function workerHours(app: App, prices: Prices): WorkerHour[] {
  return app.resources.flatMap((resource) => {
    const registration = resource.type === 'AWS::ECS::Service' ? registrationOf(app, resource) : undefined;
    if (!registration) return [];
    const { id, minWorkers, maxWorkers } = registration.properties;
    const workers = { minWorkers: Number(minWorkers), maxWorkers: Number(maxWorkers) };
    const { runsOn, hour } = hourOf(app, resource, prices);
    const empty = placeOf(app, resource).group && hour !== undefined ? { empty: hour * emptyHours(registration) } : {};
    return [{ endpoint: String(id), ...workers, runsOn, ...(hour !== undefined && { hour }), ...empty }];
  });
}
