/**
 * The properties of a service that are set by releases and scaling, and not by deployments: its revision and its
 * count.
 */
import { Lazy, Stack, Token } from 'aws-cdk-lib';
import type { BaseService, CfnService, TaskDefinition } from 'aws-cdk-lib/aws-ecs';
import type { CfnRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { workerRolePath } from './access.ts';
import type { Releases } from './releases.ts';

export interface WorkerReleaseProps {
  readonly releases: Releases;
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Task definition that a deployment registers if it has changed. Nothing runs this task definition. */
  readonly blueprint: TaskDefinition;
  readonly service: BaseService;
  /** Id of the template of the first revision. `pinTemplate` is its version, if it is not the newest. */
  readonly template: string;
  readonly pinTemplate?: number | undefined;
  readonly owner?: string | undefined;
}

/**
 * Keeps CloudFormation from setting the revision and count of a service, which CloudFormation would do at every
 * change to the service. The CloudFormation template names only a family: ECS runs the newest revision of the family,
 * and only releases add revisions. A deployment reads the count before it changes the service, and sets the same
 * count.
 */
export class WorkerRelease extends Construct {
  /** Family of the revisions that the service runs. */
  readonly family: string;
  /** ARN of the blueprint. */
  readonly blueprint: string;

  constructor(
    scope: Construct,
    id: string,
    { releases, endpoint, blueprint, service, template: its, pinTemplate, owner }: WorkerReleaseProps,
  ) {
    super(scope, id);
    this.family = Stack.of(this).stackName;
    this.blueprint = blueprint.taskDefinitionArn;
    for (const role of [blueprint.taskRole, blueprint.obtainExecutionRole()])
      (role.node.defaultChild as CfnRole).path = workerRolePath(this);

    const revision = { endpoint, family: this.family, blueprint: this.blueprint, template: its, pinTemplate, owner };
    const first = releases.first(this, 'First', revision);
    first.node.addDependency(blueprint);
    service.node.addDependency(first);

    const template = service.node.defaultChild as CfnService;
    const count = releases.liveCount(this, 'Count', {
      endpoint,
      service: Lazy.any({ produce: () => ownProperties(template) }),
    });
    template.taskDefinition = this.family;
    template.desiredCount = Token.asNumber(count.getAtt('count'));
  }
}

/**
 * Returns all properties of the service except its count. The custom resource reads the count when one of them
 * changes.
 */
function ownProperties(service: CfnService): object {
  // The tokens remain unresolved: resolved values could not refer to another stack.
  // biome-ignore lint/complexity/useLiteralKeys: the property is protected, and TypeScript allows access by this form alone.
  const { desiredCount: _, ...properties } = service['cfnProperties'];
  return properties;
}
