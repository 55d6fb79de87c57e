import { createHash } from 'node:crypto';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ThrottleBucket } from '../api/rate-limits.ts';
import { placementOf } from '../capacity/placement.ts';
import { workerPrices } from '../capacity/worker-prices.ts';
import { DeadLetters } from '../constructs/dead-letters.ts';
import { userImage } from '../constructs/images.ts';
import { tagEndpoint } from '../constructs/tags.ts';
import { EndpointAlarms } from '../endpoints/alarms.ts';
import { assertBudget } from '../endpoints/budget.ts';
import type { EndpointDeclaration } from '../endpoints/declaration.ts';
import { EndpointMetrics } from '../endpoints/metrics.ts';
import { endpointMetricsOf } from '../endpoints/metrics-setting.ts';
import { JobQueues } from '../jobs/queues.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { EndpointTemplate } from '../templates/declared-templates.ts';
import { assertPullable, pullableAddresses } from '../templates/image-repositories.ts';
import { carriedSettings } from '../templates/worker-settings.ts';
import { WorkerService } from '../workers/service.ts';
import { addEndpointDashboard } from './dashboards.ts';
import type { FleetStack } from './fleet-stack.ts';
import type { ManagementStack } from './management-stack.ts';
import type { PlatformStack } from './platform-stack.ts';
import type { StorageStack } from './storage-stack.ts';
import type { TemplatesStack } from './templates-stack.ts';

export interface EndpointStackProps extends StackProps {
  readonly declaration: EndpointDeclaration;
  readonly storage: StorageStack;
  readonly fleet: FleetStack;
  readonly platform: PlatformStack;
  readonly management: ManagementStack;
  /** The official templates, if there are any. */
  readonly templates?: TemplatesStack | undefined;
}

/** The resources of one endpoint. Other stacks do not change when an endpoint is added or removed. */
export class EndpointStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { declaration, storage, fleet, platform, management, templates, ...props }: EndpointStackProps,
  ) {
    super(scope, id, props);
    const { id: endpoint, owner, pinTemplate, minWorkers, maxWorkers } = declaration;
    const { protocol, concurrency = protocol === 'http' ? 1 : undefined } = declaration;
    const { idleTimeout, executionTimeout, streamEnvelope, examples, maxDollarsPerDay } = declaration;
    tagEndpoint(this, endpoint);

    // The endpoint is available as soon as it is registered, so its rate limits, queues and workers are created first.
    const { keyId } = new ThrottleBucket(this, 'Bucket', { scope: platform.stackName, bucket: endpoint });
    const usagePlans = [platform.usagePlan.in(this), management.usagePlan.in(this)];
    const limits = platform.planKeys.add(
      this,
      'Limits',
      usagePlans.map((usagePlanId) => ({ keyId, usagePlanId })),
    );
    const deadLetters = new DeadLetters(this, 'MessagesDeadLetters', 'messages that no worker could read');
    const queues = new JobQueues(this, 'Hints', deadLetters);
    const { releases } = platform;
    const capacity = fleet.capacityOf(declaration);
    const { category, largestDiskInGb } = capacity;
    const imageRepositories = pullableAddresses(this);
    const itsTemplate = platform.templates.associate(this, 'Template', {
      endpoint,
      owner,
      category,
      largestDiskInGb,
      imageRepositories,
      template: this.#templateOf(declaration, templates),
    });
    const template = itsTemplate.getAttString('template');
    if (declaration.template === undefined)
      new CfnOutput(this, 'TakenBack', {
        value: itsTemplate.getAttString('takenBack'),
        description: 'Time of the last deployment of the file, and the changes of clients that it has overwritten.',
      });
    const provider = fleet.providerOf(capacity, this);
    const pool = fleet.poolOf(declaration);
    const prices = workerPrices(capacity, pool);
    assertBudget(this, { endpoint, maxDollarsPerDay, prices });
    const workers = new WorkerService(this, 'Workers', {
      cluster: fleet.clusterIn(this),
      group: fleet.workersGroupIn(this),
      declaration,
      releases,
      capacity,
      provider,
      template,
      fileSystem: storage.volumes.fileSystem.in(this),
    });
    const registration = platform.endpoints.register(this, 'Registration', {
      id: endpoint,
      template,
      pinTemplate,
      owner,
      category,
      largestDiskInGb,
      imageRepositories,
      normalQueueUrls: queues.normalUrls,
      lowQueueUrls: queues.lowUrls,
      cluster: fleet.cluster.in(this),
      service: workers.serviceName,
      instanceGroup: fleet.instanceGroupOf(capacity, this),
      placement: pool && placementOf(capacity, pool, provider),
      logGroup: workers.logGroup,
      family: workers.release.family,
      blueprint: workers.release.blueprint,
      minWorkers,
      maxWorkers,
      concurrency,
      idleTimeout,
      executionTimeout,
      streamEnvelope,
      maxDollarsPerDay,
      protocol: declaration.protocol,
      // Passed as JSON, because CloudFormation would turn the numbers into strings.
      examples: examples && JSON.stringify(examples),
      workerPrices: JSON.stringify(prices),
    });
    registration.node.addDependency(limits, deadLetters, queues, workers);

    // Releases the registered configuration to the service, and starts the minimum number of workers.
    const release = releases.release(this, 'Release', {
      endpoint,
      blueprint: workers.release.blueprint,
      template,
      pinTemplate,
      minWorkers,
    });
    release.node.addDependency(registration);

    const hasBudget = maxDollarsPerDay !== undefined;
    new EndpointAlarms(this, 'Alarms', endpoint, { ...declaration.alarms, ...(!hasBudget && { budgetPercent: 0 }) });
    addEndpointDashboard(this, new EndpointMetrics(deploymentOf(this), endpoint, endpointMetricsOf(this)));

    // Workers of the endpoint may access only its jobs and messages.
    queues.grantConsume(workers.agent);
    storage.jobs.grantWork(workers.agent, endpoint);
    storage.payloads.grantWork(workers.agent, endpoint);
    storage.objects.grantWork(workers.agent, endpoint);
    storage.secrets.grantOpen(workers.agent, endpoint);
    storage.endpoints.grantReadOne(workers.agent, endpoint);
    storage.workers.grantLease(workers.agent, endpoint);
    fleet.services.grantProtect(workers.agent, endpoint);
  }

  /**
   * Returns the template of the endpoint. An official template is referenced by its id, and its stack is deployed
   * before the endpoint's stack. Any other template is looked up during the deployment of the endpoint.
   */
  #templateOf(declaration: EndpointDeclaration, templates?: TemplatesStack): EndpointTemplate {
    const { template, pinTemplate, image = '', ...fields } = declaration;
    if (template !== undefined) {
      const official = templates?.idOf(template);
      if (templates && official !== undefined)
        this.addStackDependency(templates, 'The templates stack declares the template.');
      return { named: official ?? template, pinTemplate };
    }
    const itsImage = userImage(this, { image, build: fields.build });
    assertPullable(this, `Endpoint \`${declaration.id}\``, itsImage);
    const carried = carriedSettings(fields, itsImage);
    return { carried, declarationHash: createHash('sha256').update(JSON.stringify(declaration)).digest('hex') };
  }
}
