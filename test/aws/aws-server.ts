import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';

/** Starts a server before the tests of a file. Clients of the SDK that are created later send their calls to it. */
export function useAwsServer(answer: RequestListener): void {
  const server = createServer(answer);
  beforeAll(async () => {
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
}
