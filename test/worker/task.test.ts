import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasContainerExited, isToStop, ownTask } from '../../worker/agent/task.ts';

/** The task metadata endpoint of ECS, with this body. */
let body = '';
let ecs: Server;

beforeAll(async () => {
  ecs = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
  await once(ecs, 'listening');
  process.env.ECS_CONTAINER_METADATA_URI_V4 = `http://127.0.0.1:${(ecs.address() as AddressInfo).port}`;
});
afterAll(() => void ecs.close().closeAllConnections());

describe('the metadata of the own task', () => {
  it('names the worker, its revision, and whether the task must stop', async () => {
    const Containers = [{ Name: 'worker', KnownStatus: 'STOPPED' }];
    body = JSON.stringify({ TaskARN: 'arn:aws:ecs:task/c/t1', Revision: '3', DesiredStatus: 'STOPPED', Containers });
    expect(await ownTask()).toEqual({ worker: 't1', revision: 3 });
    expect(await isToStop()).toBe(true);
    expect(await hasContainerExited()).toBe(true);
  });

  it.each([
    ['null', 'ECS returned unexpected content: the body: invalid_type.'],
    ['{"TaskARN":5}', 'ECS returned unexpected content: TaskARN: invalid_type.'],
    ['{"TaskARN":"a/b","Containers":{}}', 'ECS returned unexpected content: Containers: invalid_type.'],
    ['<html>', 'ECS returned a body that is not JSON.'],
  ])('is refused by name if its body is %s', async (text, message) => {
    body = text;
    for (const read of [ownTask, isToStop, hasContainerExited]) await expect(read()).rejects.toThrow(message);
  });
});
