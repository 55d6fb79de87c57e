/** Serves KMS without the AWS proxy, so that every caller has all permissions. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AwsFault, sendFault } from '../../packages/emulator/aws-proxy/aws-fault.ts';
import { createKeyRing, keyArn } from '../../packages/emulator/kms/key-ring.ts';
import { createKmsApi } from '../../packages/emulator/kms/kms-api.ts';

export interface KeyServer {
  readonly url: string;
  readonly keyArn: string;
  stop(): Promise<void>;
}

const caller = { roleArn: 'arn:aws:iam::000000000000:role/test', sessionArn: 'test' };

/**
 * Serves KMS with one key.
 * @param material 32 bytes in base64, by the key's id; by default, random bytes
 */
export async function startKeyServer(material: Readonly<Record<string, string>> = {}): Promise<KeyServer> {
  const keys = createKeyRing({
    readJson: <Content>() => ({ ...material }) as Content,
    writeJson: () => undefined,
  });
  keys.declare('secrets');
  const kms = createKmsApi(keys);
  const server = createServer(async (request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    try {
      const answer = await kms.call(operation, JSON.parse(await text(request)), caller);
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof AwsFault)) throw error;
      sendFault(response, error, true);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyArn: keyArn('secrets'),
    async stop() {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
}
