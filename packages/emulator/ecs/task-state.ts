/** The state of a task, as in `DescribeTasks` and in the events of its changes. */
import type { Clock } from './clock.ts';
import type { ServiceDefinition } from './definitions.ts';
import { clusterArn, taskArn } from './names.ts';

export type TaskStatus =
  | 'PROVISIONING'
  | 'PENDING'
  | 'RUNNING'
  | 'DEACTIVATING'
  | 'STOPPING'
  | 'DEPROVISIONING'
  | 'STOPPED';

export interface ContainerState {
  readonly containerArn: string;
  readonly taskArn: string;
  readonly name: string;
  readonly image: string;
  readonly lastStatus: 'PENDING' | 'RUNNING' | 'STOPPED';
  readonly healthStatus: 'HEALTHY' | 'UNHEALTHY' | 'UNKNOWN';
  readonly exitCode?: number;
  readonly reason?: string;
}

/** The reason why a task stops, in the terms of ECS. */
export interface StopCause {
  readonly stopCode:
    | 'EssentialContainerExited'
    | 'ServiceSchedulerInitiated'
    | 'SpotInterruption'
    | 'TaskFailedToStart'
    | 'UserInitiated';
  readonly stoppedReason: string;
}

export interface TaskState extends Partial<StopCause> {
  readonly taskArn: string;
  readonly clusterArn: string;
  readonly taskDefinitionArn: string;
  readonly group: string;
  readonly startedBy: string;
  readonly lastStatus: TaskStatus;
  readonly desiredStatus: 'RUNNING' | 'STOPPED';
  readonly containers: readonly ContainerState[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Times when the task began and finished to pull its images, which are on this machine. */
  readonly pullStartedAt?: Date;
  readonly pullStoppedAt?: Date;
  /** Time when the last container began to run. */
  readonly startedAt?: Date;
  readonly stoppingAt?: Date;
  /** Time when the last container exited. */
  readonly executionStoppedAt?: Date;
  readonly stoppedAt?: Date;
  /** Number of changes of the state. */
  readonly version: number;
}

/** An event of EventBridge, without the fields that EventBridge adds. */
export interface EcsEvent {
  readonly source: 'aws.ecs';
  readonly 'detail-type': string;
  readonly resources: readonly string[];
  readonly detail: object;
}

export interface TaskRecord {
  state(): TaskState;
  change(changes: Partial<TaskState>): void;
  changeContainer(name: string, changes: Partial<ContainerState>): void;
}

/** The service of a task, and its deployment. */
export type TaskOrigin = Pick<ServiceDefinition, 'name' | 'cluster' | 'serviceName' | 'taskDefinition'> & {
  /** Id of the deployment. */
  readonly startedBy: string;
} & Pick<ServiceDefinition, 'targets' | 'healthCheckGrace'>;

function firstState(origin: TaskOrigin, id: string, now: Date): TaskState {
  const { cluster, serviceName, taskDefinition, startedBy } = origin;
  const itsArn = taskArn(cluster, id);
  return {
    taskArn: itsArn,
    clusterArn: clusterArn(cluster),
    taskDefinitionArn: taskDefinition.arn,
    group: `service:${serviceName}`,
    startedBy,
    lastStatus: 'PROVISIONING',
    desiredStatus: 'RUNNING',
    containers: taskDefinition.containers.map(({ name, image }) => ({
      containerArn: `${itsArn.replace(':task/', ':container/')}/${name}`,
      taskArn: itsArn,
      name,
      image,
      lastStatus: 'PENDING',
      healthStatus: 'UNKNOWN',
    })),
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

/** Creates the state of a new task. Its creation and every change publish an event. */
export function createTaskRecord(
  origin: TaskOrigin,
  id: string,
  clock: Clock,
  publish: (event: EcsEvent) => void,
): TaskRecord {
  let state = firstState(origin, id, new Date(clock.now()));
  const publishState = () =>
    publish({
      source: 'aws.ecs',
      'detail-type': 'ECS Task State Change',
      resources: [state.taskArn],
      detail: JSON.parse(JSON.stringify(state)) as object,
    });
  const change = (changes: Partial<TaskState>) => {
    state = { ...state, ...changes, updatedAt: new Date(clock.now()), version: state.version + 1 };
    publishState();
  };
  publishState();
  return {
    state: () => state,
    change,
    changeContainer: (name, changes) =>
      change({
        containers: state.containers.map((container) =>
          container.name === name ? { ...container, ...changes } : container,
        ),
      }),
  };
}
