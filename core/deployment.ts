/** Names of deployments: an account and Region can have several, each with stacks and data of its own. */

/** The deployment without the setting. */
export const DEFAULT_DEPLOYMENT = 'gpu-endpoints';

/** The environment variable that has the name of the deployment, for functions and the agents of workers. */
export const DEPLOYMENT_VARIABLE = 'DEPLOYMENT';

/** Stack names, IAM paths, log groups, secrets and parameters take it; Parameter Store refuses what begins as AWS's own. */
const FORM = /^(?!aws|ssm)[a-z](?:-?[a-z0-9])*$/;
const LONGEST = 32;

/** Completes the sentence "the name of a deployment ...". */
export const deploymentMust = `must be 1 to ${LONGEST} characters of a-z, 0-9 and single hyphens that begin with a letter, end with no hyphen and do not begin with aws or ssm`;

export const isDeploymentName = (name: string): boolean => name.length <= LONGEST && FORM.test(name);

/**
 * What CloudFormation calls a stack.
 * @param id as the app and the CDK command call it, such as `Endpoint-echo`
 */
export const stackNameOf = (deployment: string, id: string): string => `${deployment}-${id}`;

/** What the description of each stack begins with, whatever the deployment: a stack without it belongs to something else. */
export const OURS = 'gpu-endpoints: ';
