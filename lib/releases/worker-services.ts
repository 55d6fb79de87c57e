import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { ClusterNames } from '../capacity/cluster-names.ts';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import { roleOf } from '../constructs/grantee.ts';
import { explain, type Reason, type ReasonOf } from '../constructs/reasons.ts';
import { shownIn } from '../constructs/shared-value.ts';
import { ENDPOINT_TAG } from '../constructs/tags.ts';

/** Grants for the services and tasks of the cluster. */
export class WorkerServices {
  readonly #clusters: ClusterNames;

  constructor(clusters: ClusterNames) {
    this.#clusters = clusters;
  }

  /** Lets the grantee set the number of workers of a service and their revision. */
  grantUpdate(grantee: IGrantable, reason: Reason): void {
    this.#grant(grantee, ['UpdateService'], 'service', reason);
  }

  /** Lets the grantee read the number of workers of a service and their revision. */
  grantDescribe(grantee: IGrantable, reason: Reason): void {
    this.#grant(grantee, ['DescribeServices'], 'service', reason);
  }

  /** Lets the grantee protect tasks of one endpoint from being stopped while they have work. */
  grantProtect(grantee: IGrantable, endpoint: string): void {
    const reasons = {
      UpdateTaskProtection:
        'Asks ECS not to stop the worker while it has a job. The id of a task is unknown before it runs, so the permission names all tasks of the cluster, and a condition limits it to those with the tag of the endpoint.',
      GetTaskProtection: {
        reason: "ECS requires this permission for calls to the ECS agent's protection endpoint.",
        unused:
          "ECS documents that a role needs this action to use the ECS agent's protection endpoint. The action reads whether a task is protected.",
      },
    };
    this.#grant(grantee, ['GetTaskProtection', 'UpdateTaskProtection'], 'task', reasons, {
      StringEquals: { [`aws:ResourceTag/${ENDPOINT_TAG}`]: endpoint },
    });
  }

  #grant<Action extends string>(
    grantee: IGrantable,
    actions: readonly Action[],
    kind: 'service' | 'task',
    reason: ReasonOf<Action>,
    conditions?: Record<string, Record<string, string>>,
  ): void {
    const role = roleOf(grantee);
    const names = this.#clusters.patternIn(role);
    const arn = Stack.of(role).formatArn({ service: 'ecs', resource: kind, resourceName: `${names}/*` });
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `ecs:${action}`),
      resourceArns: [arn],
      ...(conditions && { conditions }),
    }).assertSuccess();
    explain(grantee, 'ecs', actions, `${kind}s of the cluster`, reason);
    const pattern = `arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:${kind}/${shownIn(role, names)}/*`;
    acknowledgeGrant(grantee, {
      [`IAM5[Resource::${pattern}]`]:
        'Ids of tasks, and names of services of other stacks, are unknown at synthesis. The cluster runs only the workers and the ingress of this deployment.',
    });
  }
}
