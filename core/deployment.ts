/** Names of deployments: an account and Region can have several, each with stacks and data of its own. */

/** The name if the setting is missing. */
export const DEFAULT_DEPLOYMENT = 'gpu-endpoints';

/** The environment variable with the name of the deployment, for functions and agents. */
export const DEPLOYMENT_VARIABLE = 'DEPLOYMENT';

/**
 * Stack names, IAM paths, log groups, secrets and parameters contain it; Parameter Store reserves AWS's own prefixes.
 */
const FORM = /^(?!aws|ssm)[a-z](?:-?[a-z0-9])*$/;
const LONGEST = 32;

/** Completes the sentence "the name of a deployment ...". */
export const deploymentMust = `must be 1 to ${LONGEST} characters of a-z, 0-9 and single hyphens that begin with a letter, end with no hyphen and do not begin with aws or ssm`;

export const isDeploymentName = (name: string): boolean => name.length <= LONGEST && FORM.test(name);

/**
 * Returns the name of a stack in CloudFormation.
 * @param id of the stack in the app and the CDK command, such as `Endpoint-echo`
 */
export const stackNameOf = (deployment: string, id: string): string => `${deployment}-${id}`;

/** The beginning of the description of each stack, in every deployment. A stack without it is not of this project. */
export const OURS = 'gpu-endpoints: ';
