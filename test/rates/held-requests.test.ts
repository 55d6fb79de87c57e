/**
 * Sends concurrent requests over HTTP to the functions of `/cancel` and `/requests`, while the calls of these functions
 * to the jobs table are held open.
 */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { createDocumentClient } from '../../aws/clients.ts';
import { handler as cancel } from '../../lambda/jobs/cancel.ts';
import { handler as requests } from '../../lambda/jobs/requests.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
const handlers = { cancel, requests } as unknown as Readonly<Record<string, Handler>>;

/** Calls to the jobs table that are held open. */
const held: (() => void)[] = [];
let isHolding = false;

/** Passes calls on to DynamoDB, and holds those to the jobs table while `isHolding`. */
const dynamodb = createServer(async (incoming, outgoing) => {
  const body = await buffer(incoming);
  if (isHolding && body.includes('"JOBS_TABLE"')) await new Promise<void>((resolve) => held.push(resolve));
  const { method, url, headers } = incoming;
  request(`${target}${url}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 0, response.headers);
    response.pipe(outgoing);
  }).end(body);
});
let target: string | undefined;

/** Passes requests to the function of their operation. */
const gateway = createServer(async (incoming, outgoing) => {
  const [, endpoint, operation = '', job] = incoming.url?.split('/') ?? [];
  const event = {
    httpMethod: incoming.method,
    pathParameters: { endpoint, job },
    requestContext: { requestId: 'r', authorizer: { owner: 'ada', endpoints: '*', caller: 'key' } },
  } as unknown as APIGatewayProxyEvent;
  const answer = await handlers[operation]?.(event, { functionName: operation } as Context);
  outgoing.writeHead(answer?.statusCode ?? 404, answer?.headers as Record<string, string>).end(answer?.body);
});

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let url: string;
beforeAll(async () => {
  target = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = await listen(dynamodb);
  url = await listen(gateway);
});
afterAll(() => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = target;
  for (const server of [dynamodb, gateway]) server.close().closeAllConnections();
});

/** Waits until the condition holds. */
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(setImmediate);
};

interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly code?: string; readonly error?: string };
}

describe.each([
  ['requests', 'GET', 'requests', 2, 10],
  ['cancel', 'POST', `cancel/${'0'.repeat(36)}`, 20, 60],
] as const)('requests of /%s that are sent together', (operation, method, path, max, offered) => {
  it('run as many at a time as the contract allows, and the others are refused and change nothing', async () => {
    const endpoint = `held-${operation}`;
    await emulated.deploy(endpoint);
    const replies: Reply[] = [];
    const ask = async () => {
      const response = await fetch(`${url}/${endpoint}/${path}`, { method });
      const body = (await response.json()) as Reply['body'];
      replies.push({ status: response.status, retryAfter: response.headers.get('retry-after'), body });
    };
    isHolding = true;
    const asked = Array.from({ length: offered }, ask);
    await until(() => replies.length === offered - max && held.length >= max);
    const error = `Endpoint \`${endpoint}\` allows ${max} \`${operation}\` requests at the same time. Try again in 1 s.`;
    for (const { status, retryAfter, body } of replies)
      expect([status, retryAfter, body]).toEqual([429, '1', { error, code: 'TOO_MANY_REQUESTS', requestId: 'r' }]);

    isHolding = false;
    for (const release of held.splice(0)) release();
    await Promise.all(asked);
    const key = { endpoint, item: `calls#${operation}` };
    const { Item } = await createDocumentClient().send(new GetCommand({ TableName: 'ENDPOINTS_TABLE', Key: key }));
    expect(Item).toEqual({ ...key, began: expect.any(Number), calls: max });
    // All slots are free again.
    replies.length = 0;
    await ask();
    expect(replies[0]?.status).toBe(operation === 'requests' ? 200 : 404);
  });
});
