/**
 * The quotas that limit workers. The codes are those of the Service Quotas console. They are the same in all
 * accounts.
 */
import type { App, Resource } from '../assembly/app.ts';
import { instanceTypes, isOnFargate, isOnSpot, isSpotGroup, placeOf, registrationOf } from '../assembly/workers.ts';

export interface QuotaNeed {
  /** Name of the quota in AWS. */
  readonly name: string;
  readonly service: 'ec2' | 'fargate' | 'lambda' | 'vpc';
  readonly code: string;
  /** Minimum: with a lower quota, the deployment fails or cannot run its minimum number of workers. */
  readonly min: number;
  /** Maximum need: with a lower quota, not all workers can run at the same time. */
  readonly max: number;
  readonly unit: string;
  /** The resources that need the quota, such as endpoints. */
  readonly of: string;
}

export type Quota = Pick<QuotaNeed, 'name' | 'service' | 'code' | 'unit'>;

/** An instance type of a pool whose quota is not known here. */
export interface UnknownQuota {
  readonly type: string;
  readonly isSpot: boolean;
  /** The endpoints whose workers run on the type. */
  readonly of: string;
}

const ec2 = (name: string, code: string): Quota => ({ name, service: 'ec2', code, unit: 'vCPUs' });
const onDemand: Readonly<Record<string, Quota>> = {
  g: ec2('Running On-Demand G and VT instances', 'L-DB2E81BA'),
  p: ec2('Running On-Demand P instances', 'L-417A185B'),
};
const olderSpot = ec2('All P4, P3 and P2 Spot Instance Requests', 'L-7212CCBC');
/** Spot quotas of P instances are by generation. The quota of p6 is not known here: published sources differ. */
const spot: Readonly<Record<string, Quota>> = {
  g: ec2('All G and VT Spot Instance Requests', 'L-3819A6DF'),
  p2: olderSpot,
  p3: olderSpot,
  p4: olderSpot,
  p5: ec2('All P5 Spot Instance Requests', 'L-C4BD4855'),
};
const fargate: Quota = {
  name: 'Fargate On-Demand vCPU resource count',
  service: 'fargate',
  code: 'L-3032A538',
  unit: 'vCPUs',
};
const fargateSpot: Quota = { ...fargate, name: 'Fargate Spot vCPU resource count', code: 'L-36FBB829' };

/** Returns the quota of an instance type such as `g5.2xlarge` or `gr6.4xlarge`, or undefined if it is not known. */
function quotaOfType(type: string, isSpot: boolean): Quota | undefined {
  const [, family = '', generation = ''] = /^(g|p)r?(\d+)/.exec(type) ?? [];
  const quotas = isSpot ? spot : onDemand;
  return quotas[`${family}${generation}`] ?? quotas[family];
}

/**
 * Returns the vCPUs of a size: 4 for `xlarge`, 48 for `12xlarge`, undefined for other sizes such as `metal`. This holds
 * for all families of GPU instances.
 */
function vcpusOfType(type: string): number | undefined {
  const [, times] = /\.(\d*)xlarge$/.exec(type) ?? [];
  return times === undefined ? undefined : 4 * Number(times || 1);
}

const isKnown = (type: string, isSpot: boolean): boolean =>
  quotaOfType(type, isSpot) !== undefined && vcpusOfType(type) !== undefined;

/** Returns one need for each quota, because all resources of an account share a quota. */
function added(needs: readonly QuotaNeed[]): QuotaNeed[] {
  return [...Map.groupBy(needs, ({ code }) => code).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const min = Math.max(...group.map((need) => need.min));
    const max = group.reduce((sum, need) => sum + need.max, 0);
    return [{ ...first, min, max, of: group.map((need) => need.of).join(', ') }];
  });
}

const UNITS_PER_VCPU = 1_024;

function fargateNeeds(app: App, service: Resource): QuotaNeed[] {
  const { task } = placeOf(app, service);
  const registration = registrationOf(app, service)?.properties;
  if (!(task && registration && isOnFargate(task))) return [];
  const vcpus = Number(task.properties.Cpu) / UNITS_PER_VCPU;
  const quota = isOnSpot(service) ? fargateSpot : fargate;
  const [min, max] = [Math.max(1, Number(registration.minWorkers)), Number(registration.maxWorkers)];
  return [{ ...quota, min: min * vcpus, max: max * vcpus, of: `endpoint ${String(registration.id)}` }];
}

/** @param of endpoints whose workers run on the group */
function groupNeeds(app: App, group: Resource, of: string): QuotaNeed[] {
  const isSpot = isSpotGroup(group);
  const types = instanceTypes(app, group).flatMap((type) => {
    const [quota, vcpus] = [quotaOfType(type, isSpot), vcpusOfType(type)];
    return quota && vcpus !== undefined ? [{ quota, vcpus }] : [];
  });
  const instances = Number(group.properties.MaxSize);
  return [...Map.groupBy(types, ({ quota }) => quota.code).values()].flatMap((alike) => {
    const vcpus = alike.map((type) => type.vcpus);
    const [first] = alike;
    if (!first) return [];
    return [{ ...first.quota, min: Math.min(...vcpus), max: instances * Math.max(...vcpus), of }];
  });
}

const resourcesOf = ({ resources }: App, wanted: string) => resources.filter(({ type }) => type === wanted);

/** A group, and the endpoints whose workers run on it. */
interface UsedGroup {
  readonly group: Resource;
  readonly of: string;
}

/** Returns the groups that endpoints use. A group without endpoints starts no instance. */
function usedGroups(app: App): UsedGroup[] {
  const used = resourcesOf(app, 'AWS::ECS::Service').flatMap((service) => {
    const [{ group }, registration] = [placeOf(app, service), registrationOf(app, service)];
    return group && registration ? [{ group, endpoint: `endpoint ${String(registration.properties.id)}` }] : [];
  });
  return [...Map.groupBy(used, ({ group }) => group)].map(([group, users]) => ({
    group,
    of: users.map(({ endpoint }) => endpoint).join(', '),
  }));
}

/**
 * Returns the quotas that workers need. Quotas of GPU instances are included only if an endpoint uses GPU instances.
 */
export function quotaNeeds(app: App): QuotaNeed[] {
  const services = resourcesOf(app, 'AWS::ECS::Service');
  const onFargate = services.flatMap((service) => fargateNeeds(app, service));
  return [...added(onFargate), ...added(usedGroups(app).flatMap(({ group, of }) => groupNeeds(app, group, of)))];
}

/** Returns the instance types that workers can run on and whose quota is not known here. */
export function unknownQuotas(app: App): UnknownQuota[] {
  return usedGroups(app).flatMap(({ group, of }) => {
    const isSpot = isSpotGroup(group);
    const unknown = instanceTypes(app, group).filter((type) => !isKnown(type, isSpot));
    return unknown.map((type) => ({ type, isSpot, of }));
  });
}
