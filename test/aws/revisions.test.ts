/** Tests which refusals of ECS refuse a release, on a server with ECS's protocol. */
import { describe, expect, it } from '@jest/globals';
import { createRevisions } from '../../aws/releases/revisions.ts';
import { taskDefinitionSchema } from '../../core/releases/task-definition.ts';
import { useAwsServer } from './aws-server.ts';

/** The error of the next call, by its type and message. */
let refusal = { __type: '', message: '' };

useAwsServer((_, response) => {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(refusal));
});

const registering = (__type: string, message: string) => {
  refusal = { __type, message };
  return createRevisions().register(taskDefinitionSchema.parse({ family: 'worker', containerDefinitions: [] }));
};

describe('a task definition that ECS does not accept', () => {
  it.each([
    ['InvalidParameterException', 'Invalid revision number.'],
    ['ClientException', 'No Fargate configuration exists for given values.'],
  ])('refuses the release with the message of %s', async (type, message) => {
    await expect(registering(type, message)).rejects.toMatchObject({
      name: 'ReleaseRefused',
      message: `ECS refused the task definition: ${message}`,
    });
  });

  it.each([
    ['ClientException', 'Too many concurrent attempts to create a new revision of the specified family.'],
    ['AccessDeniedException', 'User is not authorized to perform: ecs:RegisterTaskDefinition.'],
  ])('does not refuse the release if a later call can succeed: %s, %s', async (type, message) => {
    await expect(registering(type, message)).rejects.toMatchObject({ name: type, message });
  });
});
