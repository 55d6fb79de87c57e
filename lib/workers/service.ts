import { Duration } from 'aws-cdk-lib';
import type { ISecurityGroup } from 'aws-cdk-lib/aws-ec2';
import {
  AvailabilityZoneRebalancing,
  type ContainerDefinition,
  ContainerDependencyCondition,
  ContainerImage,
  type ICluster,
  LogDrivers,
  PropagatedTagSource,
  type TaskDefinition,
} from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import { PLACEHOLDER_IMAGE } from '../../core/releases/compose.ts';
import { AGENT, IMAGE_CACHES, WORKER } from '../../core/releases/task-definition.ts';
import { VOLUME } from '../../core/releases/volume.ts';
import type { Capacity } from '../capacity/capacity.ts';
import { cacheRepositories, grantCaches } from '../capacity/image-caches.ts';
import { hardware, serviceOn, taskOn } from '../capacity/on-capacity.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { agentImage, explainExecutionRole } from '../constructs/images.ts';
import type { EndpointDeclaration } from '../endpoints/declaration.ts';
import type { Releases } from '../releases/releases.ts';
import { WorkerRelease } from '../releases/worker-release.ts';
import { deploymentOf } from '../settings/settings.ts';
import { grantResolve } from '../templates/vault.ts';
import { agentEnvironment, agentHealthCheck, workerEnvironment } from './environment.ts';
import { createWorkerLogs } from './logs.ts';
import { WorkerVolume } from './volume.ts';

/** Fargate's maximum between SIGTERM and SIGKILL. */
const STOP_TIMEOUT = Duration.seconds(120);

export interface WorkerServiceProps {
  readonly cluster: ICluster;
  /** Security group of all workers. */
  readonly group: ISecurityGroup;
  readonly declaration: EndpointDeclaration;
  readonly releases: Releases;
  readonly capacity: Capacity;
  /** Name of the capacity provider. */
  readonly provider: string;
  /** Id of the template of the first workers. */
  readonly template: string;
  /** Id of the file system of all volumes. */
  readonly fileSystem: string;
}

/** The workers of one endpoint: tasks of the agent and the user's container, and the service that runs them. */
export class WorkerService extends Construct {
  /**
   * The agent as a grantee. All containers of a task share the role, so user code has the same
   * permissions.
   */
  readonly agent: Grantee;
  readonly serviceName: string;
  /** Name of the log group of the task's containers. */
  readonly logGroup: string;
  readonly release: WorkerRelease;

  constructor(
    scope: Construct,
    id: string,
    { cluster, group, declaration, releases, capacity, provider, template, fileSystem }: WorkerServiceProps,
  ) {
    super(scope, id);
    const { id: endpoint, owner, pinTemplate, volumeAlsoAt } = declaration;

    const task = taskOn(this, 'Task', capacity.task);
    const logGroup = createWorkerLogs(this);
    const caches = cacheRepositories(this);
    const container = { essential: true, stopTimeout: STOP_TIMEOUT };

    // The agent takes jobs from the queues and the tables.
    const agent = task.addContainer(AGENT, {
      ...container,
      image: agentImage(this),
      environment: { ...agentEnvironment(declaration), [DEPLOYMENT_VARIABLE]: deploymentOf(this) },
      healthCheck: agentHealthCheck(),
      readonlyRootFilesystem: true,
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: 'agent' }),
    });

    // The user's container gets jobs from the agent, or is called by it. It depends on the agent, so ECS stops it
    // before the agent. The template sets its image and its command, but not the options below.
    const worker = task.addContainer(WORKER, {
      ...container,
      ...hardware(this, capacity.task),
      image: ContainerImage.fromRegistry(PLACEHOLDER_IMAGE),
      ...(caches && { dockerLabels: { [IMAGE_CACHES]: JSON.stringify(caches) } }),
      environment: workerEnvironment(declaration),
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: 'worker' }),
    });
    worker.addContainerDependencies({ container: agent, condition: ContainerDependencyCondition.HEALTHY });

    new WorkerVolume(this, 'Volume', { fileSystem, endpoint, task });
    if (volumeAlsoAt !== undefined)
      worker.addMountPoints({ sourceVolume: VOLUME, containerPath: volumeAlsoAt, readOnly: false });
    grantResolve(task.obtainExecutionRole());
    grantCaches(task.obtainExecutionRole());
    explainExecutionRole(task.obtainExecutionRole());
    acknowledge(task, { ECS2: 'The environment contains only names and addresses. Secrets are passed by reference.' });

    // New workers start before old ones stop; a release that does not become healthy is rolled back.
    const service = serviceOn(this, 'Service', capacity, provider, {
      cluster,
      taskDefinition: task,
      securityGroups: [group],
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      // The tags allocate the costs of tasks, and limit the roles of workers.
      propagateTags: PropagatedTagSource.SERVICE,
      enableECSManagedTags: true,
      // Rebalancing would stop jobs of the moved worker.
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.DISABLED,
    });

    // Without the policies of their roles, the first workers would fail.
    service.node.addDependency(task);

    this.agent = clientOf(task, agent);
    this.serviceName = service.serviceName;
    this.logGroup = logGroup.logGroupName;
    const its = { template, pinTemplate, owner };
    this.release = new WorkerRelease(this, 'Release', { releases, endpoint, blueprint: task, service, ...its });
  }
}

/** Returns the task's role as a grantee, which sets the container's environment. */
function clientOf({ taskRole }: TaskDefinition, container: ContainerDefinition): Grantee {
  return {
    grantPrincipal: taskRole,
    addEnvironment: (name, value) => container.addEnvironment(name, value),
  };
}
