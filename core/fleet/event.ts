/**
 * Events of ECS about an endpoint's service and tasks, and of Auto Scaling about its instances. EventBridge can
 * deliver each event several times, in any order.
 */
import * as z from 'zod/mini';
import { numberOf } from '../endpoints/release.ts';
import type { InstanceTimes } from './start.ts';

/** An ISO 8601 time, parsed to milliseconds since the epoch. */
const time = z.pipe(
  z.string(),
  z.transform((text) => Date.parse(text)),
);

const container = z.object({
  name: z.string(),
  exitCode: z.optional(z.number()),
  reason: z.optional(z.string()),
});

const taskDetail = z.object({
  taskArn: z.string(),
  taskDefinitionArn: z.optional(z.string()),
  /** `service:` and the service's name. */
  group: z.string(),
  lastStatus: z.string(),
  desiredStatus: z.string(),
  stopCode: z.optional(z.string()),
  stoppedReason: z.optional(z.string()),
  /** Absent until the task has a place on an instance, and always on Fargate. */
  containerInstanceArn: z.optional(z.string()),
  launchType: z.optional(z.string()),
  capacityProviderName: z.optional(z.string()),
  containers: z._default(z.array(container), []),
  createdAt: z.optional(time),
  pullStartedAt: z.optional(time),
  pullStoppedAt: z.optional(time),
  startedAt: z.optional(time),
  stoppingAt: z.optional(time),
  stoppedAt: z.optional(time),
  updatedAt: time,
});

/** Detail of service actions and of deployments. */
const serviceDetail = z.object({
  eventName: z.string(),
  reason: z.optional(z.string()),
  createdAt: z.optional(time),
  updatedAt: z.optional(time),
});

/** The resource is the service's ARN. */
const ofService = { detail: serviceDetail, resources: z.tuple([z.string()], z.string()), time };

/** Detail of a failed launch of an instance (event reference in the Amazon EC2 Auto Scaling User Guide). */
const launchDetail = z.object({ AutoScalingGroupName: z.string(), StatusMessage: z.string() });
/** Detail of a successful launch of an instance. */
const launchedDetail = z.object({
  AutoScalingGroupName: z.string(),
  EC2InstanceId: z.string(),
  EndTime: z.optional(time),
});

/** Attribute that ECS sets to the type of an instance, such as `g6.xlarge`. */
const TYPE_ATTRIBUTE = 'ecs.instance-type';

/** Detail of a change of an instance of the cluster. */
const instanceDetail = z.object({
  containerInstanceArn: z.string(),
  ec2InstanceId: z.optional(z.string()),
  registeredAt: z.optional(time),
  attributes: z._default(z.array(z.object({ name: z.string(), value: z.optional(z.string()) })), []),
});

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({ 'detail-type': z.literal('ECS Task State Change'), detail: taskDetail }),
  z.object({ 'detail-type': z.literal('ECS Service Action'), ...ofService }),
  z.object({ 'detail-type': z.literal('ECS Deployment State Change'), ...ofService }),
  z.object({ 'detail-type': z.literal('EC2 Instance Launch Unsuccessful'), detail: launchDetail, time }),
  z.object({ 'detail-type': z.literal('ECS Container Instance State Change'), detail: instanceDetail, time }),
  z.object({ 'detail-type': z.literal('EC2 Instance Launch Successful'), detail: launchedDetail, time }),
]);

const scheduledSchema = z.object({ 'detail-type': z.literal('Scheduled Event') });

interface EventBase {
  /** Time of the event, in milliseconds since the epoch. */
  readonly at: number;
}

interface OfService extends EventBase {
  /** Name of the service. */
  readonly service: string;
}

type TaskDetail = z.infer<typeof taskDetail>;

export interface TaskEvent
  extends OfService,
    Omit<TaskDetail, 'taskArn' | 'taskDefinitionArn' | 'group' | 'updatedAt'> {
  readonly of: 'task';
  /** Number of the revision that the task runs, within its family. */
  readonly revision?: number;
  /** Id of the task, which is also the id of the worker. */
  readonly worker: string;
}

export interface ServiceEvent extends OfService {
  readonly of: 'service';
  /** Name of the event in ECS, such as `SERVICE_TASK_PLACEMENT_FAILURE`. */
  readonly name: string;
  readonly reason?: string;
}

/** An Auto Scaling group could not start an instance. The event does not name a service. */
export interface LaunchEvent extends EventBase {
  readonly of: 'launch';
  /** Name of the Auto Scaling group. */
  readonly group: string;
  readonly reason: string;
}

/** An Auto Scaling group has started an instance. */
export interface LaunchedEvent extends EventBase {
  readonly of: 'launched';
  /** Name of the Auto Scaling group. */
  readonly group: string;
  readonly instance: InstanceTimes;
}

/** An event about a service or its tasks. */
export type WorkerEvent = TaskEvent | ServiceEvent;

/** An instance was launched, or registered with the cluster. */
export interface InstanceEvent extends EventBase {
  readonly of: 'instance';
  readonly instance: InstanceTimes;
}

export type FleetEvent = WorkerEvent | LaunchEvent | LaunchedEvent | InstanceEvent;

/** Returns the last part of an ARN or of a group such as `service:echo`. */
const lastOf = (name: string, separator: string) => name.slice(name.lastIndexOf(separator) + 1);

/**
 * Parses an event about a service, its tasks or an instance.
 * @throws if the event is of another type
 */
export function workerEventFrom(event: unknown): WorkerEvent | InstanceEvent {
  const read = fleetEventFrom(event);
  if (read.of === 'launched') return { of: 'instance', at: read.at, instance: read.instance };
  if (read.of !== 'launch') return read;
  throw new Error(`The event of group ${read.group} is not about a service, a task or an instance.`);
}

/** Returns whether the event only reports that a minute has passed. */
export const isScheduled = (event: unknown): boolean => z.safeParse(scheduledSchema, event).success;

/**
 * Parses an event about a waiting task or a launch.
 * @throws if the event is of another type
 */
export function launchCauseFrom(event: unknown): TaskEvent | LaunchEvent | LaunchedEvent {
  const read = fleetEventFrom(event);
  if (read.of === 'task' || read.of === 'launch' || read.of === 'launched') return read;
  throw new Error('The event is not about a task or a launch.');
}

/**
 * Parses an event.
 * @throws if the schema has no events of this type: no EventBridge rule of gpu-endpoints selects them
 */
function fleetEventFrom(event: unknown): FleetEvent {
  const read = eventSchema.parse(event);
  if (read['detail-type'] === 'ECS Task State Change') {
    const { taskArn, taskDefinitionArn, group, updatedAt, ...detail } = read.detail;
    const revision = taskDefinitionArn === undefined ? {} : { revision: numberOf(taskDefinitionArn) };
    const names = { service: lastOf(group, ':'), worker: lastOf(taskArn, '/'), ...revision };
    return { of: 'task', ...names, at: updatedAt, ...detail };
  }
  if (read['detail-type'] === 'EC2 Instance Launch Unsuccessful') {
    const { AutoScalingGroupName: group, StatusMessage: reason } = read.detail;
    return { of: 'launch', group, at: read.time, reason };
  }
  if (read['detail-type'] === 'EC2 Instance Launch Successful') {
    const { AutoScalingGroupName: group, EC2InstanceId: id, EndTime: launchedAt = read.time } = read.detail;
    return { of: 'launched', group, at: read.time, instance: { id, launchedAt } };
  }
  if (read['detail-type'] === 'ECS Container Instance State Change') {
    const { containerInstanceArn, ec2InstanceId: ec2, registeredAt, attributes } = read.detail;
    const type = attributes.find(({ name }) => name === TYPE_ATTRIBUTE)?.value;
    const instance = { id: lastOf(containerInstanceArn, '/'), ec2, type, registeredAt };
    return { of: 'instance', at: read.time, instance };
  }
  const { eventName: name, reason, createdAt, updatedAt } = read.detail;
  const at = createdAt ?? updatedAt ?? read.time;
  return { of: 'service', service: lastOf(read.resources[0], '/'), name, at, ...(reason && { reason }) };
}
