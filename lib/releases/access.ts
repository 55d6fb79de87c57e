/** What functions that release may do: one grant per intention. */
import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { acknowledgeGrant } from '../constructs/checks.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { ReleasesTable, TemplatesTable } from '../templates/tables.ts';
import { grantVaultLookup } from '../templates/vault.ts';
import type { WorkerServices } from './worker-services.ts';

const pathIn = (deployment: string, region: string) => `/${deployment}/${region}/workers/`;

/**
 * The path of the roles of all workers of a deployment: to pass these to tasks, and no others, is what releases need. Roles
 * are of the account, so the path has the Region.
 */
export const workerRolePath = (scope: IConstruct): string => pathIn(deploymentOf(scope), Stack.of(scope).region);

interface ReleaseAccessProps {
  readonly releases: ReleasesTable;
  readonly templates: TemplatesTable;
  readonly services: WorkerServices;
}

export class ReleaseAccess {
  readonly #releases: ReleasesTable;
  readonly #templates: TemplatesTable;
  readonly #services: WorkerServices;

  constructor({ releases, templates, services }: ReleaseAccessProps) {
    this.#releases = releases;
    this.#templates = templates;
    this.#services = services;
  }

  /** To make the first revision of a family, and to withdraw all of it. */
  grantFirst(grantee: ServiceFunction): void {
    this.#grantMake(grantee);
    grantWithdraw(grantee);
    grantPass(grantee);
    this.#releases.grantRetire(grantee);
  }

  /** To look how far a release is, and to bring the service where that leads: on, or back. */
  grantFollow(grantee: ServiceFunction): void {
    this.#releases.grantNote(grantee);
    this.#services.grantDescribe(grantee);
    this.#services.grantUpdate(grantee);
    grantWithdraw(grantee);
    grantPass(grantee);
  }

  /** To release what endpoint and template say. */
  grantRelease(grantee: ServiceFunction): void {
    this.grantFollow(grantee);
    this.#grantMake(grantee);
  }

  /** To add up how long workers of templates ran. */
  grantMeter(grantee: ServiceFunction): void {
    this.#releases.grantRead(grantee);
    this.#templates.grantMeter(grantee);
  }

  #grantMake(grantee: ServiceFunction): void {
    this.#templates.grantRead(grantee);
    grant(grantee, ['ecs:DescribeTaskDefinition', 'ecs:RegisterTaskDefinition'], ['*']);
    grantVaultLookup(grantee);
  }
}

function grant(
  grantee: ServiceFunction,
  actions: string[],
  resourceArns: string[],
  conditions?: Record<string, Record<string, string>>,
): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns, ...(conditions && { conditions }) }).assertSuccess();
}

/** To list revisions and to withdraw them: actions that IAM knows no resources for. */
function grantWithdraw(releaser: ServiceFunction): void {
  grant(releaser, ['ecs:DeregisterTaskDefinition', 'ecs:ListTaskDefinitions'], ['*']);
  acknowledgeGrant(releaser, {
    'IAM5[Resource::*]': 'IAM has no resources for the actions on task definitions.',
  });
}

/** Who makes a revision, or has a service run one, passes the roles of its tasks. */
function grantPass(releaser: ServiceFunction): void {
  const resourceName = `${workerRolePath(releaser).slice(1)}*`;
  const roles = Stack.of(releaser).formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
  grant(releaser, ['iam:PassRole'], [roles], { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } });
  acknowledgeGrant(releaser, {
    [`IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role${pathIn(deploymentOf(releaser), '<AWS::Region>')}*]`]:
      'Endpoints come and go without this stack; roles under the path are those of their workers.',
  });
}
