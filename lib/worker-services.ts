import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { acknowledgeGrant } from './checks.ts';
import { roleOf } from './client.ts';
import { type SharedValue, shownIn } from './shared-value.ts';
import { ENDPOINT_TAG } from './tags.ts';

/** The services and tasks of the cluster, and what may be done with them. Endpoints and workers say which ones they are. */
export class WorkerServices {
  readonly #cluster: SharedValue;

  /** @param cluster its name */
  constructor(cluster: SharedValue) {
    this.#cluster = cluster;
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
    const role = roleOf(grantee);
    const clusterName = this.#cluster.in(role);
    const arn = Stack.of(role).formatArn({ service: 'ecs', resource: kind, resourceName: `${clusterName}/*` });
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `ecs:${action}`),
      resourceArns: [arn],
      conditions,
    }).assertSuccess();
    const pattern = `arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:${kind}/${shownIn(role, clusterName)}/*`;
    acknowledgeGrant(grantee, {
      [`IAM5[Resource::${pattern}]`]:
        'Endpoints come and go without this stack, and tasks without any; the cluster is ours.',
    });
  }
}
