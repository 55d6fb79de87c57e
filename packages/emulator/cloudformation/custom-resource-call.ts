/** Sends an event to the function behind a custom resource, and receives the response over HTTP. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { Functions } from '../functions/functions.ts';
import { LocalError } from '../local-error.ts';
import { refusePage } from '../network/page-refusal.ts';
import { LOOPBACK } from '../network/ports.ts';

const answerSchema = z.object({
  Status: z.literal(['SUCCESS', 'FAILED']),
  Reason: z.optional(z.string()),
  PhysicalResourceId: z.optional(z.string()),
  Data: z._default(z.record(z.string(), z.unknown()), {}),
});

export type CustomResourceAnswer = z.output<typeof answerSchema>;

/** The event of CloudFormation, without the response URL and the request id. */
export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceType: string;
  readonly ServiceToken: string;
  readonly ResourceProperties: unknown;
  readonly OldResourceProperties?: unknown;
}

/** Starts a server, sends its URL to the function, and resolves with the body of the first PUT request. */
async function answerTo(send: (url: string) => Promise<unknown>, limit: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // Like the signature in an address of CloudFormation, the path shows that the caller got the address.
  const path = `/${randomUUID()}`;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    if (refusePage(request, response)) return;
    const body = await text(request);
    const isAnswer = request.method === 'PUT' && request.url === path;
    response.writeHead(isAnswer ? 200 : 403).end();
    if (isAnswer) resolve(body);
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const timer = setTimeout(() => reject(new Error(`no response within ${limit / 1000} seconds`)), limit);
  try {
    const { port } = server.address() as AddressInfo;
    // The response can arrive before or after the function returns. A function that fails sends no response.
    send(`http://${LOOPBACK}:${port}${path}`).catch(reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}

/**
 * Sends the event and waits for the response.
 * @param where describes the resource in a sentence
 * @param limit milliseconds to wait for the response
 * @throws LocalError if the function fails, reports a failure, or does not respond
 */
export async function callCustomResource(
  functions: Functions,
  event: CustomResourceEvent,
  { where, limit }: { where: string; limit: number },
): Promise<CustomResourceAnswer> {
  const failed = (reason: unknown) =>
    new LocalError(`${where} failed to ${event.RequestType.toLowerCase()}: ${reason}`);
  const send = (ResponseURL: string) =>
    functions.invoke(event.ServiceToken, { ...event, ResponseURL, RequestId: randomUUID() });
  const body = await answerTo(send, limit).catch((error: Error) => {
    throw failed(error.message);
  });
  const answer = z.safeParse(answerSchema, JSON.parse(body));
  if (!answer.success) throw failed(`its response does not have the format of CloudFormation: ${body}`);
  if (answer.data.Status === 'FAILED') throw failed(answer.data.Reason ?? 'it gave no reason');
  return answer.data;
}
