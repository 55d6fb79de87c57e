/** Tests which refusals of ECS refuse a release, on a server with ECS's protocol. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRevisions } from '../../aws/releases/revisions.ts';
import { taskDefinitionSchema } from '../../core/releases/task-definition.ts';

/** The error of the next call, by its type and message. */
let refusal = { __type: '', message: '' };
let server: Server;

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
});
afterAll(() => {
  delete process.env.AWS_ENDPOINT_URL;
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
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
