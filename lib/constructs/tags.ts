/**
 * Tags of every resource that AWS can tag. Cost reports group costs by these tags, and one of them limits worker
 * roles.
 */
import { Aspects, Stack, TagManager, Tags } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { deploymentOf } from '../settings/settings.ts';

/** The deployment that a resource belongs to. The name must not change: cost allocation tags are activated by name. */
export const DEPLOYMENT_TAG = 'gpu-endpoints:deployment';

/**
 * The endpoint that a resource, or a task of its service, belongs to. Policies select tasks by this tag, because they
 * cannot select tasks by id.
 */
export const ENDPOINT_TAG = 'gpu-endpoints:endpoint';

/** Tag that the AWS console shows as the name of a VPC or a file system. */
const NAME_TAG = 'Name';
/** CDK sets tags with priority 100. */
const OVER_OTHERS = 200;

/** @param scope parent of all stacks of the deployment */
export function tagDeployment(scope: IConstruct): void {
  const deployment = deploymentOf(scope);
  Tags.of(scope).add(DEPLOYMENT_TAG, deployment);
  // CDK derives names from the path of the construct, which is the same in every deployment.
  const outside = scope.node.path === '' ? '' : `${scope.node.path}/`;
  Aspects.of(scope).add({
    visit(node) {
      const tags = TagManager.of(node);
      const name = tags?.tagValues()[NAME_TAG];
      if (name?.startsWith(`${outside}${Stack.of(node).node.id}/`))
        tags?.setTag(NAME_TAG, `${deployment}/${name.slice(outside.length)}`, OVER_OTHERS);
    },
  });
}

/** @param endpoint id of the endpoint */
export const tagEndpoint = (scope: IConstruct, endpoint: string): void => Tags.of(scope).add(ENDPOINT_TAG, endpoint);
