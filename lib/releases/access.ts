/** Grants for the functions that release: one per intention. */
import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { acknowledgeGrant } from '../constructs/checks.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { type Exception, explain } from '../constructs/reasons.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { ReleasesTable, TemplatesTable } from '../templates/tables.ts';
import { grantVaultLookup } from '../templates/vault.ts';
import type { WorkerServices } from './worker-services.ts';

const pathIn = (deployment: string, region: string) => `/${deployment}/${region}/workers/`;

/**
 * Returns the path of the roles of all workers of a deployment: releases may pass these to tasks, and no others. Roles
 * belong to the account, so the path has the Region.
 */
export const workerRolePath = (scope: IConstruct): string => pathIn(deploymentOf(scope), Stack.of(scope).region);

/** Of permissions by which a function completes what another has begun. */
export const instead: Exception = {
  seldom: 'another function has to have died in the middle of a release, or to be slower.',
};

/** Which of its permissions a function seldom or never uses on a laptop. */
export interface Exceptions {
  readonly making?: Exception;
  readonly secrets?: Exception;
  readonly passing?: Exception;
  readonly history?: Exception;
  readonly withdrawing?: Exception;
}

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

  /** To make the first revision of a family, and to withdraw all its revisions. */
  grantFirst(grantee: ServiceFunction, except: Exceptions): void {
    this.#grantMake(grantee, except);
    grantWithdraw(grantee, except);
    grantPass(grantee, except);
    this.#releases.grantRetire(grantee);
  }

  /** To read how far a release is, and to bring the service forward or back. */
  grantFollow(grantee: ServiceFunction, except: Exceptions): void {
    const why = 'Writes the history of releases.';
    this.#releases.grantWrite(grantee, { PutItem: { why, ...except.history }, UpdateItem: { why, ...instead } });
    const brings =
      'Asks how far a release is, and sets the task definition and the number of workers of the service; services come with endpoints.';
    this.#services.grantDescribe(grantee, brings);
    this.#services.grantUpdate(grantee, brings);
    grantWithdraw(grantee, except);
    grantPass(grantee, except);
  }

  /** To release the template and settings of an endpoint. */
  grantRelease(grantee: ServiceFunction, except: Exceptions): void {
    this.grantFollow(grantee, except);
    this.#grantMake(grantee, except);
  }

  /** To add up how long workers of templates ran. */
  grantRunTime(grantee: ServiceFunction): void {
    this.#releases.grantRead(grantee, 'Finds the template of a worker that has stopped by its revision.');
    this.#templates.grantRunTime(grantee);
  }

  #grantMake(grantee: ServiceFunction, { making, secrets }: Exceptions): void {
    this.#templates.grantRead(grantee, 'Reads the template that the endpoint runs, and which endpoints use it.');
    grant(grantee, ['ecs:DescribeTaskDefinition', 'ecs:RegisterTaskDefinition'], ['*']);
    const why =
      'Makes a revision from the blueprint of the stack; families come with endpoints, and `iam:PassRole` is bounded.';
    explain(grantee, 'ecs', ['DescribeTaskDefinition', 'RegisterTaskDefinition'], 'no resource', { why, ...making });
    const finds = 'Finds the ARNs of the secrets that the template names; it cannot read them.';
    grantVaultLookup(grantee, { why: finds, ...secrets });
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
function grantWithdraw(releaser: ServiceFunction, { withdrawing }: Exceptions): void {
  grant(releaser, ['ecs:DeregisterTaskDefinition', 'ecs:ListTaskDefinitions'], ['*']);
  explain(releaser, 'ecs', ['DeregisterTaskDefinition', 'ListTaskDefinitions'], 'no resource', {
    DeregisterTaskDefinition: {
      why: 'Withdraws revisions that were superseded or rolled back, and all of an endpoint whose stack is removed; IAM knows no narrower resource.',
      ...withdrawing,
    },
    ListTaskDefinitions: {
      why: 'Finds the revisions that are to be withdrawn; IAM knows no narrower resource.',
      ...withdrawing,
    },
  });
  acknowledgeGrant(releaser, {
    'IAM5[Resource::*]': 'IAM has no resources for the actions on task definitions.',
  });
}

/** To pass the roles of workers: ECS asks for it of a function that makes a revision, or sets that of a service. */
function grantPass(releaser: ServiceFunction, { passing }: Exceptions): void {
  const resourceName = `${workerRolePath(releaser).slice(1)}*`;
  const roles = Stack.of(releaser).formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
  grant(releaser, ['iam:PassRole'], [roles], { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } });
  explain(releaser, 'iam', ['PassRole'], 'roles of workers', {
    why: 'Hands tasks the roles of their endpoint; only roles under the path of workers, and only to tasks of ECS.',
    ...passing,
  });
  acknowledgeGrant(releaser, {
    [`IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role${pathIn(deploymentOf(releaser), '<AWS::Region>')}*]`]:
      'Endpoints come and go without this stack; roles under the path are those of their workers.',
  });
}
