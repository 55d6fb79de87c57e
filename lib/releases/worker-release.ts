/** What of a service belongs to the running service, and not to deployments: the revision of its task, and its count. */
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
  /** Registered by each deployment that changes it, and never run. */
  readonly blueprint: TaskDefinition;
  readonly service: BaseService;
  /** Id of the template of the first revision; the version, if it is not the newest; and whose the endpoint is. */
  readonly template: string;
  readonly pinTemplate?: number | undefined;
  readonly owner?: string | undefined;
}

/**
 * Takes revision and count of a service out of the hands of CloudFormation, which would set both anew with every change of
 * the service. The template names a family alone, and of a family ECS runs the newest revision; releases add revisions to
 * it, deployments none. The count is read before the service is changed, and put back where it was.
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

/** All that the template says of the service but its count, which is what these properties are asked for. */
function ownProperties(service: CfnService): object {
  // With their tokens: what was resolved here could be of no other stack.
  // biome-ignore lint/complexity/useLiteralKeys: TypeScript lets nobody in by the other way.
  const { desiredCount: _, ...properties } = service['cfnProperties'];
  return properties;
}
