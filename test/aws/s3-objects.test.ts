/** Reads objects from a server that replaces S3. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createS3Objects } from '../../aws/jobs/s3-objects.ts';

const variables = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_MAX_ATTEMPTS: '1',
  PAYLOADS_BUCKET: 'payloads',
};
const LENGTH = 300_000;

let before: NodeJS.ProcessEnv;
let server: Server;
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
  before = { ...process.env };
  server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': LENGTH });
    respond(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, variables, { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` });
});
afterEach(() => {
  process.env = before;
  server.close();
  server.closeAllConnections();
});

describe('a read of an object', () => {
  it('fails if the object stops in the middle, and closes the connection', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    respond = (response) => {
      response.on('close', resolve);
      response.write(Buffer.alloc(100_000));
    };
    await expect(createS3Objects(undefined, 100).read('2/echo/j1/output')).rejects.toThrow(
      'An object did not arrive within 100 ms.',
    );
    await closed;
  });

  it('closes the connection if there is no memory for the object', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    respond = (response) => {
      response.on('close', resolve);
      response.write(Buffer.alloc(100_000));
    };
    const lengths: number[] = [];
    const read = createS3Objects().read('2/echo/j1/output', (length) => {
      lengths.push(length);
      throw new Error('There is no memory.');
    });
    await expect(read).rejects.toThrow('There is no memory.');
    expect(lengths).toEqual([LENGTH]);
    await closed;
  });
});
