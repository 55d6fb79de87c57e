import { CustomResource, Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/checks.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { TemplatesTable } from '../templates/tables.ts';
import type { ReleaseAccess } from './access.ts';
import type { WorkerServices } from './worker-services.ts';

export interface ReleasesProps {
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly templates: TemplatesTable;
  readonly services: WorkerServices;
  readonly access: ReleaseAccess;
}

interface FirstRevision {
  readonly endpoint: string;
  readonly family: string;
  readonly blueprint: string;
  /** Id. */
  readonly template: string;
}

interface Released {
  readonly endpoint: string;
  readonly blueprint: string;
  /** Id. */
  readonly template: string;
  /** The version of the template to run. @default - the newest */
  readonly pinTemplate?: number | undefined;
  readonly minWorkers: number;
}

const operations = {
  first: 'Custom resource: gives a family of task definitions its first revision, and withdraws all with the stack.',
  release: 'Custom resource: makes a service run what its endpoint says, without waiting for workers.',
  rollout: 'Templates stream: makes the services of the endpoints that use a template run its new version.',
  'live-count': 'Custom resource: tells how many workers a service runs, so that a deployment keeps them.',
} as const;
type Operation = keyof typeof operations;
/** Those that the stacks of endpoints ask for. */
type Asked = Exclude<Operation, 'rollout'>;

/** What brings the services of endpoints to their revisions: their stacks ask for it, and changes of their templates. */
export class Releases extends Construct {
  readonly #functions: Readonly<Record<Asked, ServiceFunction>>;

  constructor(scope: Construct, id: string, { endpoints, workers, templates, services, access }: ReleasesProps) {
    super(scope, id);
    const operation = (name: string, file: Operation) =>
      new ServiceFunction(this, name, {
        entry: `lambda/releases/${file}.ts`,
        description: operations[file],
        timeout: Duration.minutes(1),
      });
    const first = operation('First', 'first');
    endpoints.grantRead(first);
    endpoints.grantNote(first);
    access.grantFirst(first);

    const release = operation('Release', 'release');
    endpoints.grantRead(release);
    endpoints.grantNote(release);
    workers.grantList(release);
    access.grantRelease(release);

    const rollout = operation('Rollout', 'rollout');
    endpoints.grantRead(rollout);
    endpoints.grantNote(rollout);
    workers.grantList(rollout);
    access.grantRelease(rollout);
    follow(templates, rollout);

    const count = operation('LiveCount', 'live-count');
    endpoints.grantRead(count);
    services.grantDescribe(count);

    this.#functions = { first, release, 'live-count': count };
  }

  /** Where CloudFormation sends what the stacks of endpoints ask for. */
  get serviceTokens(): string[] {
    return Object.values(this.#functions).map(({ functionArn }) => functionArn);
  }

  /** A family with a first revision, as long as the resource is there. */
  first(scope: Construct, id: string, properties: FirstRevision) {
    return this.#ask('first', scope, id, 'Custom::FirstRevision', properties);
  }

  /** What the endpoint's record says is what its service runs; asked again whenever a property is another. */
  release(scope: Construct, id: string, properties: Released) {
    return this.#ask('release', scope, id, 'Custom::Release', properties);
  }

  /** The attribute `count` is how many workers the service runs, whenever a property of the service is another. */
  liveCount(scope: Construct, id: string, properties: { endpoint: string; service: unknown }) {
    return this.#ask('live-count', scope, id, 'Custom::LiveCount', properties);
  }

  #ask(operation: Asked, scope: Construct, id: string, resourceType: string, properties: object): CustomResource {
    const its = this.#functions[operation];
    return new CustomResource(scope, id, {
      resourceType,
      serviceToken: its.functionArn,
      serviceTimeout: serviceTimeoutOf(its),
      properties: { ...properties },
    });
  }
}

/** Lets the function hear of changes of templates, and of nothing else that lies in their table. */
function follow(templates: TemplatesTable, rollout: ServiceFunction): void {
  // A batch that keeps failing is cut in halves; what makes it fail ends up here alone, and the stream goes on.
  const deadLetters = new Queue(rollout, 'DeadLetters', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  acknowledge(deadLetters, { SQS3: 'It is the dead-letter queue.' });
  templates.feed(rollout, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: [FilterCriteria.filter({ dynamodb: { Keys: { collection: { S: FilterRule.isEqual('templates') } } } })],
    batchSize: 10,
    bisectBatchOnError: true,
    retryAttempts: 3,
    maxRecordAge: Duration.hours(6),
    onFailure: new SqsDlq(deadLetters),
  });
}
