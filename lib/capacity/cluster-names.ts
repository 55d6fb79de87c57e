/** The names of the cluster in permissions and in events. */
import { Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/aws-events';
import type { IConstruct } from 'constructs';
import type { SharedValue } from '../constructs/shared-value.ts';

export interface ClusterNames {
  /** Returns a pattern of all names, for permissions in the stack of the reader. */
  patternIn(reader: IConstruct): string;
  /** Returns what matches the ARNs of the clusters, or of all their services, in events of the stack of the reader. */
  matchIn(reader: IConstruct, resource: 'cluster' | 'service'): string[];
}

const arnIn = (reader: IConstruct, resource: string, resourceName: string) =>
  Stack.of(reader).formatArn({ service: 'ecs', resource, resourceName });

/**
 * Returns the names of a cluster whose name CloudFormation derives from the name of its stack. While a deployment replaces
 * the cluster, some endpoints are in the new cluster and other endpoints are still in the old cluster.
 */
export function derivedFrom(stackName: string): ClusterNames {
  const prefix = `${stackName}-`;
  return {
    patternIn: () => `${prefix}*`,
    matchIn: (reader, resource) => Match.prefix(arnIn(reader, resource, prefix)),
  };
}

/** Returns the names of a cluster of the app: only its present name. */
export const exactly = (name: SharedValue): ClusterNames => ({
  patternIn: (reader) => name.in(reader),
  matchIn(reader, resource) {
    const its = name.in(reader);
    return resource === 'cluster' ? [arnIn(reader, resource, its)] : Match.prefix(arnIn(reader, resource, `${its}/`));
  },
});
