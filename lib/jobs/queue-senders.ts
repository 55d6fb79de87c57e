/**
 * Functions and the ingress send messages to the queues of endpoints. Only the roles of these senders are under a
 * common path. The policies of queues name this path instead of roles, so a new role can send messages immediately
 * (docs/adr/0015).
 */
import { Aws, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, type CfnRole, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { explain, type Reason } from '../constructs/reasons.ts';
import { deploymentOf } from '../settings/settings.ts';

/** Names of the queues of endpoints in `docs/reference/permissions.md`. */
export const queueNames = ['queues of normal jobs', 'queues of low-priority jobs'] as const;

const pathOf = (scope: IConstruct) => `/${deploymentOf(scope)}/${Aws.REGION}/hints/`;

/** Lets a function or the ingress send messages to every queue of every endpoint. */
export function letSendMessages({ identity }: { readonly identity: Role }, reason: Reason): void {
  (identity.node.defaultChild as CfnRole).path = pathOf(identity);
  explain(identity, 'sqs', ['SendMessage'], queueNames, reason);
}

/** Returns the statement of a queue's policy that lets the roles under the path send messages. */
export function sendingMessages(queue: IQueue): PolicyStatement {
  const resourceName = `${pathOf(queue).slice(1)}*`;
  const roles = Stack.of(queue).formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
  return new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: ['sqs:SendMessage'],
    resources: [queue.queueArn],
    conditions: { ArnLike: { 'aws:PrincipalArn': roles } },
  });
}
