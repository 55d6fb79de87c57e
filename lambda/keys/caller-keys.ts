import { randomBytes } from 'node:crypto';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { environment } from '../../aws/environment.ts';
import { createCallerKeyPorts } from '../../aws/keys/ports.ts';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import {
  callerSecretName,
  callerSecretsIn,
  type DeclaredCaller,
  ensureCallerKey,
  removeCallerKey,
} from '../../core/keys/caller-keys.ts';
import { customResource } from '../custom-resource.ts';

const ports = createCallerKeyPorts();
const deployment = environment(DEPLOYMENT_VARIABLE);

const propertiesSchema = z.object({
  endpoints: z.catch(z.array(z.string()), []),
  name: z.catch(z.string(), ''),
});

/** Returns what the stack declares. Properties of other types become empty, which a key cannot be. */
const callerOf = (event: CloudFormationCustomResourceEvent): DeclaredCaller => ({
  stackId: event.StackId,
  logicalId: event.LogicalResourceId,
  ...propertiesSchema.parse(event.ResourceProperties),
});

/**
 * Returns the name of the secret. CloudFormation deletes a resource by the name of the response to its creation. If
 * there was no response, CloudFormation deletes it by a name of its own.
 */
function secretNameOf(event: CloudFormationCustomResourceEvent): string {
  if (event.RequestType === 'Delete' && event.PhysicalResourceId.startsWith(callerSecretsIn(deployment)))
    return event.PhysicalResourceId;
  return callerSecretName(deployment, callerOf(event));
}

/** The custom resource of a function's client key. Its attribute `secret` is the ARN of the secret with the key. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType !== 'Delete')
      return { secret: await ensureCallerKey(ports, deployment, callerOf(event), randomBytes(64)) };
    await removeCallerKey(ports, secretNameOf(event));
    return undefined;
  },
  (event) => (event.RequestType === 'Delete' ? event.PhysicalResourceId : secretNameOf(event)),
);
