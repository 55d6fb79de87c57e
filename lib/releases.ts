import { Aws, CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from './checks.ts';
import type { EndpointsTable } from './endpoint-tables.ts';
import { ServiceFunction } from './function.ts';
import type { WorkerServices } from './worker-services.ts';

/** The path of the roles of all workers of a Region: to pass these to tasks, and no others, is what releases need. */
export const WORKER_ROLE_PATH = `/gpu-endpoints/${Aws.REGION}/`;

export interface ReleasesProps {
  readonly endpoints: EndpointsTable;
  readonly services: WorkerServices;
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
  readonly minWorkers: number;
}

const operations = {
  first: 'Custom resource: gives a family of task definitions its first revision, and withdraws all with the stack.',
  release: 'Custom resource: makes a service run what its endpoint says, without waiting for workers.',
  'live-count': 'Custom resource: tells how many workers a service runs, so that a deployment keeps them.',
} as const;
type Operation = keyof typeof operations;

/** What brings the services of endpoints to their revisions: the stacks of endpoints ask for it, and none does it itself. */
export class Releases extends Construct {
  readonly #functions: Readonly<Record<Operation, ServiceFunction>>;

  constructor(scope: Construct, id: string, { endpoints, services }: ReleasesProps) {
    super(scope, id);
    const operation = (name: string, file: Operation) =>
      new ServiceFunction(this, name, {
        entry: `lambda/releases/${file}.ts`,
        description: operations[file],
        timeout: Duration.minutes(1),
      });
    const first = operation('First', 'first');
    endpoints.grantNote(first);
    grantRegister(first);
    grantList(first);

    const release = operation('Release', 'release');
    endpoints.grantRead(release);
    endpoints.grantNote(release);
    grantRegister(release);
    services.grantDescribe(release);
    services.grantUpdate(release);

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

  #ask(operation: Operation, scope: Construct, id: string, resourceType: string, properties: object): CustomResource {
    return new CustomResource(scope, id, {
      resourceType,
      serviceToken: this.#functions[operation].functionArn,
      // A call that fails is tried again after a minute, and after two more.
      serviceTimeout: Duration.minutes(5),
      properties: { ...properties },
    });
  }
}

function grant(grantee: IGrantable, actions: readonly string[]): void {
  Grant.addToPrincipal({
    grantee,
    actions: actions.map((action) => `ecs:${action}`),
    resourceArns: ['*'],
  }).assertSuccess();
}

/** To list the revisions of a family. */
function grantList(releaser: ServiceFunction): void {
  grant(releaser, ['ListTaskDefinitions']);
}

/** To make a revision from another, or to withdraw one: actions that IAM knows no resources for. What it passes, it knows. */
function grantRegister(releaser: ServiceFunction): void {
  grant(releaser, ['DescribeTaskDefinition', 'RegisterTaskDefinition', 'DeregisterTaskDefinition']);
  const resourceName = `${WORKER_ROLE_PATH.slice(1)}*`;
  const roles = Stack.of(releaser).formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
  Grant.addToPrincipal({
    grantee: releaser,
    actions: ['iam:PassRole'],
    resourceArns: [roles],
    conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
  }).assertSuccess();
  acknowledge(releaser.identity, {
    'IAM5[Resource::*]': 'IAM has no resources for the actions on task definitions.',
    'IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role/gpu-endpoints/<AWS::Region>/*]':
      'Endpoints come and go without this stack; roles under the path are those of their workers.',
  });
}
