import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { acknowledgeGrant } from '../constructs/checks.ts';
import { roleOf } from '../constructs/client.ts';
import { ENDPOINT_TAG } from '../constructs/tags.ts';

/**
 * The services and tasks of the cluster, and what may be done with them. Endpoints and workers say which ones they are.
 *
 * The cluster is named by what its name begins with: while a deployment replaces it, some endpoints are in the new one and
 * the others still in the one before.
 */
export class WorkerServices {
  readonly #clusters: string;

  /** @param clusters what the name of the cluster begins with */
  constructor(clusters: string) {
    this.#clusters = clusters;
  }

  /** To tell a service how many workers it runs, and what they are. */
  grantUpdate(grantee: IGrantable): void {
    this.#grant(grantee, ['UpdateService'], 'service');
  }

  /** To read how many workers a service runs, and what they are. */
  grantDescribe(grantee: IGrantable): void {
    this.#grant(grantee, ['DescribeServices'], 'service');
  }

  /** To keep tasks of one endpoint from being stopped while they have work. */
  grantProtect(grantee: IGrantable, endpoint: string): void {
    this.#grant(grantee, ['GetTaskProtection', 'UpdateTaskProtection'], 'task', {
      StringEquals: { [`aws:ResourceTag/${ENDPOINT_TAG}`]: endpoint },
    });
  }

  #grant(
    grantee: IGrantable,
    actions: readonly string[],
    kind: string,
    conditions?: Record<string, Record<string, string>>,
  ): void {
    const resourceName = `${this.#clusters}*/*`;
    const arn = Stack.of(roleOf(grantee)).formatArn({ service: 'ecs', resource: kind, resourceName });
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `ecs:${action}`),
      resourceArns: [arn],
      conditions,
    }).assertSuccess();
    const pattern = `arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:${kind}/${resourceName}`;
    acknowledgeGrant(grantee, {
      [`IAM5[Resource::${pattern}]`]:
        'Endpoints come and go without this stack, and tasks without any; the cluster is ours.',
    });
  }
}
