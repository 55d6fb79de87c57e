import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnScalableTarget } from 'aws-cdk-lib/aws-applicationautoscaling';
import { ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import {
  type ContainerDefinition,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDrivers,
  OperatingSystemFamily,
  PropagatedTagSource,
} from 'aws-cdk-lib/aws-ecs';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import {
  HEALTH_PATH,
  ingressPorts,
  OPEN_CALLS_METRIC,
  portVariables,
  WAITS_PER_TASK,
} from '../../core/http/ingress.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { SERVICE } from '../constructs/function.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { explainExecutionRole, healthCommand, ingressImage } from '../constructs/images.ts';
import { alarmText } from '../constructs/runbook.ts';
import { deploymentOf, functionMetrics } from '../settings/settings.ts';
import type { IngressSettings } from './ingress-setting.ts';
import { LoadBalancer } from './load-balancer.ts';

const CONTAINER = 'ingress';

/**
 * A task waits more than it computes: half a vCPU serves some hundred requests a second. The memory holds the 640 MB
 * of bodies and outputs that `memoryLimits` allows. The rest is for copies of them, for 2,000 calls and for Node.js.
 */
export const taskSize = { cpu: 512, memoryLimitMiB: 2_048 } as const;

/**
 * Fargate's maximum. ECS stops a task only after the deregistration delay of the load balancer, so its calls have
 * ended.
 */
const STOP_TIMEOUT = Duration.seconds(120);

/**
 * Half of the capacity of a task. The rest is for the calls that arrive while a new task starts, which takes a
 * minute, and for the calls that a stopping task no longer accepts.
 */
const SCALED_AT = WAITS_PER_TASK / 2;

/** Target CPU utilization in percent. The rest is spare capacity, as with `SCALED_AT`. */
const SCALED_AT_CPU = 60;

/** Minutes without a healthy task before the alarm goes off. A failed task is replaced within one or two minutes. */
const ALARM_AFTER = 3;

export interface IngressProps {
  /** The cluster of the fleet, with the VPC of the load balancer. */
  readonly cluster: ICluster;
  readonly settings: IngressSettings;
}

/** The service for calls that wait, and for bodies that are too large for a function. Grants are for its task role. */
export class Ingress extends Construct implements Grantee {
  readonly loadBalancer: LoadBalancer;
  /**
   * CloudFormation reports the service as created when its first task is healthy. Resources that send requests to the
   * ingress depend on it.
   */
  readonly service: FargateService;
  /** The role of the tasks. */
  readonly identity: Role;
  /** Number of calls that can wait in all tasks of the service at its maximum size. */
  readonly room: number;
  readonly #container: ContainerDefinition;

  constructor(scope: Construct, id: string, { cluster, settings }: IngressProps) {
    super(scope, id);
    const { minTasks, maxTasks } = settings;
    this.room = maxTasks * WAITS_PER_TASK;
    this.loadBalancer = new LoadBalancer(this, 'LoadBalancer', cluster.vpc);

    const task = new FargateTaskDefinition(this, 'Task', {
      // CDK would derive a name from the construct's path, which is the same in every deployment.
      family: `${Stack.of(this).stackName}-Ingress`,
      ...taskSize,
      runtimePlatform: {
        operatingSystemFamily: OperatingSystemFamily.LINUX,
        cpuArchitecture: CpuArchitecture.ARM64,
      },
    });
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#container = task.addContainer(CONTAINER, {
      image: ingressImage(this),
      environment: {
        POWERTOOLS_SERVICE_NAME: SERVICE,
        POWERTOOLS_METRICS_NAMESPACE: functionMetrics(this),
        [DEPLOYMENT_VARIABLE]: deploymentOf(this),
        [portVariables.gateway]: String(ingressPorts.gateway),
        [portVariables.direct]: String(ingressPorts.direct),
      },
      portMappings: Object.values(ingressPorts).map((containerPort) => ({ containerPort })),
      healthCheck: {
        command: healthCommand(ingressPorts.gateway, HEALTH_PATH),
        interval: Duration.seconds(10),
        // As lenient as the health check of the load balancer, because a busy task is not dead.
        timeout: Duration.seconds(10),
        startPeriod: Duration.seconds(15),
        retries: 5,
      },
      stopTimeout: STOP_TIMEOUT,
      readonlyRootFilesystem: true,
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: CONTAINER }),
    });
    this.identity = task.taskRole as Role;
    acknowledge(task, { ECS2: 'The environment contains only names and addresses.' });
    acknowledge(task.obtainExecutionRole(), {
      'IAM5[Resource::*]': 'ecr:GetAuthorizationToken has no narrower resource.',
    });

    explainExecutionRole(task.obtainExecutionRole());
    const service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition: task,
      securityGroups: [
        new SecurityGroup(this, 'Tasks', {
          vpc: cluster.vpc,
          description: 'Tasks of the ingress: their load balancer comes in.',
        }),
      ],
      capacityProviderStrategies: [{ capacityProvider: 'FARGATE', weight: 1 }],
      assignPublicIp: false,
      // New tasks start before old ones stop; a release that does not become healthy is rolled back.
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      healthCheckGracePeriod: Duration.seconds(60),
      propagateTags: PropagatedTagSource.SERVICE,
      enableECSManagedTags: true,
    });
    // Without the policies of its role, a task would fail its first requests.
    service.node.addDependency(task);
    for (const { port, targets } of [this.loadBalancer.gateway, this.loadBalancer.direct])
      targets.addTarget(service.loadBalancerTarget({ containerName: CONTAINER, containerPort: port }));

    this.service = service;
    this.#scale(service, minTasks, maxTasks);
    this.#watch(service);
  }

  get grantPrincipal(): Role {
    return this.identity;
  }

  addEnvironment(name: string, value: string): void {
    this.#container.addEnvironment(name, value);
  }

  /** Scales the service. The template has no count, so that a deployment keeps the count that scaling has set. */
  #scale(service: FargateService, minCapacity: number, maxCapacity: number): void {
    const count = service.autoScaleTaskCount({ minCapacity, maxCapacity });
    count.scaleToTrackCustomMetric(OPEN_CALLS_METRIC, {
      metric: new Metric({
        namespace: functionMetrics(this),
        metricName: OPEN_CALLS_METRIC,
        dimensionsMap: { service: SERVICE },
        statistic: Stats.AVERAGE,
        period: Duration.minutes(1),
      }),
      targetValue: SCALED_AT,
    });
    // Bodies use processor time, regardless of the number of calls. Of two policies, the one that requests more tasks
    // counts.
    count.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: SCALED_AT_CPU });
    // Application Auto Scaling has its own role for services of ECS. A caller that names this role must be allowed to
    // pass it.
    const target = count.node.findChild('Target').node.defaultChild;
    if (!(target instanceof CfnScalableTarget)) throw new Error('The count of tasks has no CloudFormation resource.');
    target.addPropertyDeletionOverride('RoleARN');
  }

  /** Adds an alarm for each listener without a healthy task. */
  #watch(service: FargateService): void {
    const { gateway, direct } = this.loadBalancer;
    for (const [name, { targets }] of Object.entries({ Gateway: gateway, Direct: direct })) {
      const healthy = targets.metrics.healthyHostCount({ statistic: Stats.MAXIMUM, period: Duration.minutes(1) });
      const alarm = healthy.createAlarm(this, `${name}Unhealthy`, {
        alarmDescription: alarmText('The ingress has no healthy task, so calls that wait fail.', 'ingress'),
        threshold: 1,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: ALARM_AFTER,
        // Without a registered task, there are no data points.
        treatMissingData: TreatMissingData.BREACHING,
      });
      alarm.node.addDependency(service);
    }
  }
}
