import { CustomResource, Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { DeadLetters } from '../constructs/dead-letters.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import type { TemplatesTable } from '../templates/tables.ts';
import { onlyBeforeItIsApplied, type ReleaseAccess } from './access.ts';
import type { WorkerServices } from './worker-services.ts';

export interface ReleasesProps {
  readonly endpoints: EndpointsTable;
  readonly history: HistoryTable;
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
  /**
   * The version of the template to run.
   * @default - the newest version
   */
  readonly pinTemplate?: number | undefined;
  readonly minWorkers: number;
}

const readsEndpoint = "Reads the endpoint's service and the release that the service must run.";
const storesRelease = 'Stores the release that the service must run, and removes it when the stack is removed.';
const noSecrets = { unused: 'Only an endpoint whose template names secrets needs this permission.' };
const ends = { retiring: onlyBeforeItIsApplied, listing: onlyBeforeItIsApplied };
const overlap = {
  sometimes: 'only if another release of the endpoint is in progress, or begins or ends at the same time.',
};

const operations = {
  first:
    'Custom resource: creates the first revision of a family of task definitions, and withdraws all revisions with the stack.',
  release: 'Custom resource: releases the configuration of an endpoint to its service, without waiting for workers.',
  rollout: 'Templates stream: releases a new version of a template to the endpoints that use it.',
  'live-count': 'Custom resource: reads how many workers a service runs, so that a deployment keeps them.',
} as const;
type Operation = keyof typeof operations;
/** The operations that the stacks of endpoints request. */
type Asked = Exclude<Operation, 'rollout'>;

/** Releases endpoints when their stacks or their templates change. */
export class Releases extends Construct {
  readonly #functions: Readonly<Record<Asked, ServiceFunction>>;

  constructor(scope: Construct, id: string, props: ReleasesProps) {
    super(scope, id);
    const { endpoints, history, workers, templates, services, access } = props;
    const operation = (name: string, file: Operation) =>
      new ServiceFunction(this, name, {
        entry: `lambda/releases/${file}.ts`,
        description: operations[file],
        timeout: Duration.minutes(1),
      });
    const first = operation('First', 'first');
    endpoints.grantRead(first, {
      reason: 'Reads the revision that the service runs, if the stack moves the endpoint to another launch type.',
      sometimes: 'only if a deployment changes the capacity of an endpoint.',
    });
    endpoints.grantUpdate(first, storesRelease);
    access.grantFirstAndLast(first, { secrets: noSecrets });

    const release = operation('Release', 'release');
    const rollout = operation('Rollout', 'rollout');
    for (const releases of [release, rollout]) {
      endpoints.grantRead(releases, readsEndpoint);
      endpoints.grantUpdate(releases, storesRelease);
      workers.grantList(
        releases,
        'Checks whether a worker holds a job that ECS does not protect. If so, the service is left unchanged.',
      );
      access.grantRelease(
        releases,
        releases === release ? { secrets: noSecrets, deregistering: overlap, ...ends } : ends,
      );
    }
    history.grantAdd(release, {
      reason: 'Stores a change of the number of workers for the events of the endpoint.',
      sometimes: 'only if the deployment changes how many workers are requested.',
    });
    follow(templates, rollout);

    const count = operation('LiveCount', 'live-count');
    endpoints.grantRead(count, readsEndpoint);
    services.grantDescribe(count, 'Reads the number of workers before a deployment changes the service.');

    this.#functions = { first, release, 'live-count': count };
  }

  /** Returns the ARNs of the functions that CloudFormation calls for custom resources in the stacks of endpoints. */
  get serviceTokens(): string[] {
    return Object.values(this.#functions).map(({ functionArn }) => functionArn);
  }

  /** Creates the first revision of a family. All revisions of the family are withdrawn when the resource is deleted. */
  first(scope: Construct, id: string, properties: FirstRevision) {
    return this.#ask('first', scope, id, 'Custom::FirstRevision', properties);
  }

  /** Releases the configuration of the endpoint to its service, each time that a property changes. */
  release(scope: Construct, id: string, properties: Released) {
    return this.#ask('release', scope, id, 'Custom::Release', properties);
  }

  /**
   * Reads the number of workers of the service, as the attribute `count`, each time that a property of the service
   * changes.
   */
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

/** Calls the function for changes of templates, and not for changes of other items in their table. */
function follow(templates: TemplatesTable, rollout: ServiceFunction): void {
  // Lambda halves a failing batch until it contains only the failing change, which is then sent to this queue.
  const deadLetters = new DeadLetters(rollout, 'DeadLetters', 'changes of templates that could not be released');
  templates.invokeOnChanges(rollout, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: [FilterCriteria.filter({ dynamodb: { Keys: { collection: { S: FilterRule.isEqual('templates') } } } })],
    batchSize: 10,
    bisectBatchOnError: true,
    retryAttempts: 3,
    maxRecordAge: Duration.hours(6),
    onFailure: new SqsDlq(deadLetters),
  });
  const name = "rollout's dead letters";
  const reason = 'Lambda sets aside changes that keep failing, with the role of the function.';
  explain(rollout, 'sqs', ['SendMessage'], name, reason);
  explain(rollout, 'sqs', ['GetQueueAttributes', 'GetQueueUrl'], name, {
    reason: 'Granted together with the permission to send.',
    unused: "CDK's `SqsDlq` grants these actions together with `sqs:SendMessage`.",
  });
}
