/** Grants for the functions that release endpoints: one grant for each purpose. */
import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { type Exception, explain } from '../constructs/reasons.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { ReleasesTable, TemplatesTable } from '../templates/tables.ts';
import { grantVaultLookup } from '../templates/vault.ts';
import type { WorkerServices } from './worker-services.ts';

const pathIn = (deployment: string, region: string) => `/${deployment}/${region}/workers/`;

/**
 * Returns the path of the roles of all workers of a deployment. Releases may pass only these roles to tasks. Roles
 * belong to the account, so the path contains the Region.
 */
export const workerRolePath = (scope: IConstruct): string => pathIn(deploymentOf(scope), Stack.of(scope).region);

/** Marks a permission that a function needs only to apply the end of a release that another function has stored. */
export const onlyBeforeItIsApplied: Exception = {
  sometimes: 'only if the function that stored the end of a release has not applied it yet.',
};

/** The permissions that a run on a laptop might not use, or never uses. */
export interface Exceptions {
  /** Registering task definitions. */
  readonly registering?: Exception;
  /** Looking up the ARNs of secrets. */
  readonly secrets?: Exception;
  /** `iam:PassRole`. */
  readonly passing?: Exception;
  /** Putting items in the history of releases. */
  readonly history?: Exception;
  /** Starting the retention of a release in the history. */
  readonly retiring?: Exception;
  readonly deregistering?: Exception;
  /** Listing revisions. */
  readonly listing?: Exception;
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

  /**
   * Lets the function create the first revision of a family, deregister all its revisions, pass the roles of workers, and
   * set an expiry for the history of an endpoint that is removed.
   */
  grantFirstAndLast(grantee: ServiceFunction, except: Exceptions): void {
    this.#grantRegister(grantee, except);
    grantDeregister(grantee, except);
    grantPass(grantee, except);
    this.#releases.grantRetire(grantee);
  }

  /** Lets the function read the progress of a release, and complete or roll back the release. */
  grantFollow(grantee: ServiceFunction, except: Exceptions): void {
    const reason = 'Writes the history of releases.';
    this.#releases.grantWrite(grantee, {
      PutItem: { reason, ...except.history },
      UpdateItem: { reason, ...except.retiring },
    });
    const serviceReason =
      'Reads the progress of a release, and sets the task definition and the number of workers of the service. Services are created with endpoints.';
    this.#services.grantDescribe(grantee, serviceReason);
    this.#services.grantUpdate(grantee, serviceReason);
    grantDeregister(grantee, except);
    grantPass(grantee, except);
  }

  /** Lets the function release the template and settings of an endpoint. */
  grantRelease(grantee: ServiceFunction, except: Exceptions): void {
    this.grantFollow(grantee, except);
    this.#grantRegister(grantee, except);
  }

  /** Lets the function add up the run time of templates. */
  grantRunTime(grantee: ServiceFunction): void {
    this.#releases.grantRead(grantee, "Finds the template of a stopped worker by the worker's revision.");
    this.#templates.grantRunTime(grantee);
  }

  #grantRegister(grantee: ServiceFunction, { registering, secrets }: Exceptions): void {
    this.#templates.grantRead(grantee, 'Reads the template that the endpoint runs, and which endpoints use it.');
    grant(grantee, ['ecs:DescribeTaskDefinition', 'ecs:RegisterTaskDefinition'], ['*']);
    const reason =
      'Creates a revision from the blueprint of the stack. Families are created with endpoints, and `iam:PassRole` is limited.';
    explain(grantee, 'ecs', ['DescribeTaskDefinition', 'RegisterTaskDefinition'], 'no resource', {
      reason,
      ...registering,
    });
    const secretsReason =
      'Finds the ARNs of the secrets that the template names. The function cannot read the secrets.';
    grantVaultLookup(grantee, { reason: secretsReason, ...secrets });
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

/** Lets the function list and deregister revisions. IAM does not support resources for these actions. */
function grantDeregister(releaser: ServiceFunction, { deregistering, listing }: Exceptions): void {
  grant(releaser, ['ecs:DeregisterTaskDefinition', 'ecs:ListTaskDefinitions'], ['*']);
  explain(releaser, 'ecs', ['DeregisterTaskDefinition', 'ListTaskDefinitions'], 'no resource', {
    DeregisterTaskDefinition: {
      reason:
        'Withdraws revisions that were superseded or rolled back, and all revisions of an endpoint whose stack is removed. IAM has no narrower resource.',
      ...deregistering,
    },
    ListTaskDefinitions: {
      reason: 'Finds the revisions to withdraw. IAM has no narrower resource.',
      ...listing,
    },
  });
  acknowledgeGrant(releaser, {
    'IAM5[Resource::*]': 'IAM does not support resources for the actions on task definitions.',
  });
}

/**
 * Lets the function pass the roles of workers. ECS requires this of a function that registers a revision or sets the
 * revision of a service.
 */
function grantPass(releaser: ServiceFunction, { passing }: Exceptions): void {
  const resourceName = `${workerRolePath(releaser).slice(1)}*`;
  const roles = Stack.of(releaser).formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
  grant(releaser, ['iam:PassRole'], [roles], { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } });
  explain(releaser, 'iam', ['PassRole'], 'roles of workers', {
    reason:
      'Passes the roles of an endpoint to its tasks. Limited to roles under the path of workers, and to tasks of ECS.',
    ...passing,
  });
  acknowledgeGrant(releaser, {
    [`IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role${pathIn(deploymentOf(releaser), '<AWS::Region>')}*]`]:
      'Endpoints are created and removed without this stack. Roles under the path are those of their workers.',
  });
}
