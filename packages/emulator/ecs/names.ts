/**
 * The ARNs of ECS. A request can name a resource by its ARN or, within its cluster, by the last part of the ARN.
 */
import { arn } from '../account.ts';

export const clusterArn = (cluster: string): string => arn('ecs', `cluster/${cluster}`);

export const serviceArn = (cluster: string, serviceName: string): string =>
  arn('ecs', `service/${cluster}/${serviceName}`);

export const taskArn = (cluster: string, id: string): string => arn('ecs', `task/${cluster}/${id}`);

export const taskDefinitionArn = (family: string, revision: number | '*'): string =>
  arn('ecs', `task-definition/${family}:${revision}`);

export const fileSystemArn = (id: string): string => arn('elasticfilesystem', `file-system/${id}`);

const isArn = (text: string) => text.startsWith('arn:');

/** Returns the name of a cluster that is given by name or ARN. */
export const clusterName = (cluster: string): string => (isArn(cluster) ? (cluster.split('/').at(-1) ?? '') : cluster);

export const asServiceArn = (cluster: string, service: string): string =>
  isArn(service) ? service : serviceArn(cluster, service);

export const asTaskArn = (cluster: string, task: string): string => (isArn(task) ? task : taskArn(cluster, task));
