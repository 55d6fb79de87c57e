/** Names of deployments. An account and Region can have several deployments with separate stacks and data. */

/** Name of the deployment if the setting is missing. */
export const DEFAULT_DEPLOYMENT = 'gpu-endpoints';

/** Environment variable of functions and agents that contains the name of the deployment. */
export const DEPLOYMENT_VARIABLE = 'DEPLOYMENT';

/**
 * Form of a deployment name. Stack names, IAM paths, log groups, secrets and parameters contain the name, and
 * Parameter Store reserves the prefixes `aws` and `ssm`.
 */
const FORM = /^(?!aws|ssm)[a-z](?:-?[a-z0-9])*$/;
const MAX_LENGTH = 32;

/** Completes the sentence "the name of a deployment ...". */
export const deploymentMust = `must be 1 to ${MAX_LENGTH} characters of a-z, 0-9 and single hyphens, begin with a letter but not with aws or ssm, and not end with a hyphen`;

export const isDeploymentName = (name: string): boolean => name.length <= MAX_LENGTH && FORM.test(name);

/**
 * Returns the name of a stack in CloudFormation.
 * @param id of the stack in the CDK app and in CDK commands, such as `Endpoint-echo`
 */
export const stackNameOf = (deployment: string, id: string): string => `${deployment}-${id}`;

const STACK_ID = /^(?:Storage|Fleet|Platform|Management|Templates|Endpoint-.+)$/;

/**
 * Returns the id of a stack, such as `Endpoint-echo`, or undefined if no stack of a deployment has this name.
 * @param prefix of the names of the deployment's stacks
 */
export function stackIdIn(name: string, prefix: string): string | undefined {
  const id = name.slice(prefix.length);
  return name.startsWith(prefix) && STACK_ID.test(id) ? id : undefined;
}

const ENDPOINT_STACK = 'Endpoint-';

/** Returns the id of the endpoint of a stack, or undefined if the stack is not that of an endpoint. */
export const endpointOfStack = (id: string): string | undefined =>
  id.startsWith(ENDPOINT_STACK) ? id.slice(ENDPOINT_STACK.length) : undefined;

/** The id of an endpoint between the name of its deployment and a logical id. Only logical ids have capital letters. */
const OF_ENDPOINT = /^(?:[a-z0-9-]+-)?Endpoint-([a-z0-9-]+)-[A-Z]/;

/**
 * Returns the id of the endpoint whose stack created a resource, or undefined if the stack is not that of an endpoint.
 * @param name of the resource, which CloudFormation generates from the name of the stack and the logical id, such as
 * `gpu-endpoints-Endpoint-echo-WorkersService6E0C5D4B-Xa1b2C3d4E5f`
 */
export const endpointInName = (name: string): string | undefined => OF_ENDPOINT.exec(name)?.[1];

/**
 * Prefix of the description of each stack, in every deployment. Stacks without this prefix belong to other
 * projects.
 */
export const DESCRIPTION_PREFIX = 'gpu-endpoints: ';
