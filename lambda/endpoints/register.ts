import { Logger } from '@aws-lambda-powertools/logger';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createWorld } from '../../aws/world.ts';
import { endpointConfigSchema } from '../../core/endpoints/endpoint.ts';

const world = createWorld();
const logger = new Logger();

const number = z.pipe(z.coerce.number(), z.number());

/** CloudFormation turns every scalar into a string. */
const propertiesSchema = z.extend(endpointConfigSchema, {
  minWorkers: number,
  maxWorkers: number,
  executionTimeout: number,
});

async function apply(event: CloudFormationCustomResourceEvent): Promise<void> {
  if (event.RequestType === 'Delete') return world.endpoints.remove(event.PhysicalResourceId);
  return world.endpoints.register(propertiesSchema.parse(event.ResourceProperties));
}

/**
 * The custom resource of an endpoint's stack: its record is there while the stack is. The resource's physical id is the
 * endpoint id, so that an endpoint under a new id is a replacement and the old record is deleted after it.
 */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const outcome = await apply(event).then(
    () => ({ Status: 'SUCCESS' }),
    (error: unknown) => {
      logger.error('The endpoint was not registered.', { error });
      return { Status: 'FAILED', Reason: String(error) };
    },
  );
  const answer = {
    ...outcome,
    PhysicalResourceId: String(event.ResourceProperties.id),
    StackId: event.StackId,
    RequestId: event.RequestId,
    LogicalResourceId: event.LogicalResourceId,
  };
  // As bytes: a text would get a content type, for which the address is not signed.
  const response = await fetch(event.ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
  if (!response.ok) throw new Error(`CloudFormation's address answered ${response.status}.`);
}
