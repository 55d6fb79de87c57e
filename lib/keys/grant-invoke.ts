import { CustomResource, Lazy, Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { sortedEndpoints } from '../../core/keys/caller-keys.ts';
import { grantLimits } from '../../core/keys/grant.ts';
import { callerKeyTimeout } from './caller-keys.ts';

/** Environment variables of a function that calls endpoints. */
export const callerVariables = {
  /** URL of the job interface. */
  url: 'GPU_ENDPOINTS_URL',
  /** ARN of the secret with the client key. */
  secret: 'GPU_ENDPOINTS_KEY_SECRET',
} as const;

export interface InvokeGrant {
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Service token of the deployment's `CallerKeys`, in the stack of the function. */
  readonly serviceToken: string;
  /** URL of the deployment's job interface, in the stack of the function. */
  readonly jobsUrl: string;
}

/** What a function has been granted. */
interface Caller {
  readonly endpoints: Set<string>;
  readonly deployment: string;
}

const callers = new WeakMap<LambdaFunction, Caller>();

/**
 * Lets a function call an endpoint with a client key of its own. All grants of a function share one key, which permits
 * all operations on the granted endpoints. The function reads the key from the secret whose ARN is in
 * `GPU_ENDPOINTS_KEY_SECRET`, and sends requests such as `POST ${GPU_ENDPOINTS_URL}/chat/run`.
 * @throws Error if the function calls endpoints of another deployment
 */
export function grantInvoke(fn: LambdaFunction, { endpoint, serviceToken, jobsUrl }: InvokeGrant): void {
  const deployment = JSON.stringify(Stack.of(fn).resolve([serviceToken, jobsUrl]));
  const present = callers.get(fn);
  if (present && present.deployment !== deployment)
    throw new Error(
      `${fn.node.path} calls endpoints of another deployment; a function can call those of one deployment. Use one function for each deployment.`,
    );
  if (present) {
    present.endpoints.add(endpoint);
    return;
  }
  const endpoints = new Set([endpoint]);
  callers.set(fn, { endpoints, deployment });
  const key = new CustomResource(fn.node.scope ?? Stack.of(fn), `${fn.node.id}ClientKey`, {
    resourceType: 'Custom::GpuEndpointsClientKey',
    serviceToken,
    serviceTimeout: callerKeyTimeout,
    properties: { name: nameOf(fn), endpoints: Lazy.list({ produce: () => sortedEndpoints(endpoints) }) },
  });
  const secret = key.getAttString('secret');
  Grant.addToPrincipal({
    grantee: fn,
    actions: ['secretsmanager:GetSecretValue'],
    resourceArns: [secret],
  }).assertSuccess();
  fn.addEnvironment(callerVariables.url, jobsUrl);
  fn.addEnvironment(callerVariables.secret, secret);
}

/**
 * Returns the name and the owner of the key, which `npx gpu-endpoints keys ls` shows: the name of the outermost stack, which
 * is unique in the account and Region, and the path of the function in that stack.
 */
function nameOf(fn: LambdaFunction): string {
  const [root = Stack.of(fn), ...inside] = fn.node.scopes.slice(fn.node.scopes.findIndex(Stack.isStack));
  const { stackName } = Stack.of(root);
  const name = [stackName, ...inside.map(({ node }) => node.id)].join('/');
  return name.replaceAll(/[^!-~]/g, '-').slice(0, grantLimits.text);
}
