/** Calculates the cost of an hour of a worker, and the number of workers that always run. */

import type { Prices } from '../../lib/prices/prices.ts';
import { gbOf, fargateHour as hourOfSize, instanceHour as hourOfTypes, vcpusOf } from '../../lib/prices/worker-hour.ts';
import { type App, isValues, type Resource } from '../assembly/app.ts';
import {
  instanceTypes,
  isOnFargate,
  isOnSpot,
  isSpotGroup,
  placeOf,
  registrationOf,
  volumesOf,
} from '../assembly/workers.ts';
import { type Charge, charge, HOURS_PER_MONTH, type Rule, type Use } from './charge.ts';

const CALCULATOR = 'https://calculator.aws';

export interface WorkerHour {
  readonly endpoint: string;
  /** The worker's capacity, in words. */
  readonly runsOn: string;
  readonly minWorkers: number;
  readonly maxWorkers: number;
  /** US dollars. Undefined if the price is not known. */
  readonly hour?: number;
  /** US dollars an hour of the disks of an instance. Absent on Fargate, and if the price is not known. */
  readonly disk?: number;
  /**
   * What the instances of a first job cost at most after their last task, in US dollars. Absent on Fargate, and if the
   * price is not known.
   */
  readonly empty?: number;
}

interface Hour {
  readonly runsOn: string;
  readonly hour?: number;
  readonly disk?: number;
}

/** The Spot price changes every hour, and never exceeds the On-Demand price. */
const SPOT = ', Spot: at most';

function fargateHour({ properties }: Resource, spot: boolean, prices: Prices): Hour {
  const { Cpu, Memory, RuntimePlatform, EphemeralStorage } = properties;
  const architecture = isValues(RuntimePlatform) ? (RuntimePlatform.CpuArchitecture ?? 'X86_64') : 'X86_64';
  const disk = EphemeralStorage ? ', more disk' : '';
  const size = { architecture: String(architecture), cpu: Number(Cpu), memory: Number(Memory) };
  const runsOn = `Fargate ${architecture}, ${vcpusOf(size)} vCPU, ${gbOf(size)} GB${disk}${spot ? SPOT : ''}`;
  const isKnown = disk === '' && Number.isFinite(size.cpu) && Number.isFinite(size.memory);
  const hour = isKnown ? hourOfSize(prices, size) : undefined;
  return { runsOn, ...(hour !== undefined && { hour }) };
}

/** MiB/s and operations per second that the price of a gp3 volume includes. */
const included = { throughput: 125, operations: 3_000 } as const;

/** Returns the hourly price of the disks of an instance, or undefined if one is not a gp3 volume with a known size. */
function diskHour(app: App, group: Resource, { perGb, perMonth }: Prices): number | undefined {
  const months = volumesOf(app, group).map(({ VolumeType, VolumeSize, Throughput, Iops }) => {
    if (VolumeType !== 'gp3') return Number.NaN;
    const throughput = Math.max(0, Number(Throughput ?? 0) - included.throughput);
    const operations = Math.max(0, Number(Iops ?? 0) - included.operations);
    return (
      Number(VolumeSize) * perGb.diskMonth.price +
      throughput * perMonth.diskThroughput.price +
      operations * perMonth.diskOperation.price
    );
  });
  const hour = months.reduce((sum, month) => sum + month, 0) / HOURS_PER_MONTH;
  return months.length === 0 || Number.isNaN(hour) ? undefined : hour;
}

export function instanceHour(app: App, group: Resource, prices: Prices): Hour {
  const types = instanceTypes(app, group);
  const runsOn = `EC2 ${types.join(' or ') || 'of unknown type'}${isSpotGroup(group) ? SPOT : ''}`;
  const hour = hourOfTypes(prices, Object.fromEntries(types.map((type) => [type, 1])));
  const disk = diskHour(app, group, prices);
  return { runsOn, ...(hour !== undefined && { hour }), ...(disk !== undefined && { disk }) };
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

/** Returns the charges for tasks or instances that always run, and for their disks. */
const hours = (of: string, count: number, { runsOn, hour = 0, disk }: Hour): Charge[] => [
  charge(`${of} ${runsOn}`, count, 'hour', hour),
  ...(disk === undefined ? [] : [charge(`disks of ${of} ${runsOn}`, count, 'hour', disk)]),
];

export const service: Rule = ({ resource, app, prices }) => {
  const byUse = registrationOf(app, resource) ? secrets : [];
  const count = standingTasks(app, resource);
  if (count === 0) return { byUse };
  const its = hourOf(app, resource, prices);
  if (its.hour === undefined || Number.isNaN(count))
    return { byUse, unpriced: `${count} tasks on ${its.runsOn}: ${UNKNOWN}` };
  return { byUse, charges: hours('tasks on', count, its) };
};

/**
 * Returns the charges for instances that run without a task. Instances that tasks start are counted with the
 * service.
 */
export const instances: Rule = ({ resource, app, prices }) => {
  const count = Number(resource.properties.MinSize);
  if (count === 0) return {};
  const its = instanceHour(app, resource, prices);
  if (its.hour === undefined || Number.isNaN(count))
    return { unpriced: `${count} instances of ${its.runsOn}: ${UNKNOWN}` };
  return { charges: hours('instances of', count, its) };
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
    const its = hourOf(app, resource, prices);
    const { hour, disk = 0 } = its;
    const onPool = placeOf(app, resource).group !== undefined && hour !== undefined;
    const empty = onPool ? { empty: (hour + disk) * emptyHours(registration) } : {};
    return [{ endpoint: String(id), ...workers, ...its, ...empty }];
  });
}
