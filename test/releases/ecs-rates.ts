/** A server in front of the local ECS that refuses calls above the rates of ECS. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Token buckets of ECS for each account and Region: their size, and the tokens that they get each second. Source:
 * "Request throttling for the Amazon ECS API" in its API Reference. The numbers were read in a copy of that page's table
 * in a public repository, on 2026-11-26.
 */
const buckets = {
  modifyTaskDefinition: { size: 20, rate: 1 },
  readTaskDefinition: { size: 50, rate: 20 },
  modifyService: { size: 50, rate: 5 },
  readService: { size: 100, rate: 20 },
} as const;

const bucketOf: Readonly<Record<string, keyof typeof buckets>> = {
  RegisterTaskDefinition: 'modifyTaskDefinition',
  DeregisterTaskDefinition: 'modifyTaskDefinition',
  DescribeTaskDefinition: 'readTaskDefinition',
  ListTaskDefinitions: 'readTaskDefinition',
  UpdateService: 'modifyService',
  DescribeServices: 'readService',
};

export interface RateOptions {
  /** Address of the local ECS. */
  readonly url: string;
  /** Factor by which buckets are filled faster than in AWS. */
  readonly speed: number;
  /**
   * Whether other clients have just used all tokens.
   * @default false
   */
  readonly spent?: boolean;
  /**
   * Returns whether a call fails, by its operation and its body.
   * @default - none fails
   */
  readonly fails?: (operation: string, body: string) => boolean;
}

export async function startEcsRates({ url, speed, spent = false, fails = () => false }: RateOptions) {
  const tokens = new Map<string, { left: number; at: number }>();
  const figures = { calls: 0, throttled: 0, maxAtOnce: 0 };
  let atOnce = 0;

  function take(operation: string): boolean {
    const name = bucketOf[operation];
    if (name === undefined) throw new Error(`The operation ${operation} has no rate: add it to ${import.meta.url}.`);
    const { size, rate } = buckets[name];
    const now = performance.now();
    const { left, at } = tokens.get(name) ?? { left: spent ? 0 : size, at: now };
    const full = Math.min(size, left + (rate * speed * (now - at)) / 1_000);
    tokens.set(name, { left: full >= 1 ? full - 1 : full, at: now });
    return full >= 1;
  }

  const server = createServer(async (request, response) => {
    atOnce += 1;
    figures.calls += 1;
    figures.maxAtOnce = Math.max(figures.maxAtOnce, atOnce);
    const body = Buffer.concat(await request.toArray());
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const refuse = (__type: string, message: string) =>
      response
        .writeHead(400, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify({ __type, message }));
    if (fails(operation, body.toString())) refuse('ServerUnavailable', 'The call has failed.');
    else if (take(operation)) {
      // The headers stay as they are signed, so `fetch`, which sets `Host` itself, cannot forward the call.
      const forwarded = sendRequest(url, { method: 'POST', headers: request.headers }).end(body);
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(await answer.toArray()));
    } else {
      figures.throttled += 1;
      refuse('ThrottlingException', 'Rate exceeded');
    }
    atOnce -= 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    figures,
    async stop(): Promise<void> {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}
