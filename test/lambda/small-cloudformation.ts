/** Simulates CloudFormation for custom resources: sends events to their handlers, and receives the responses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/** A module of a custom resource. */
interface CustomResourceModule {
  readonly handler: (event: CloudFormationCustomResourceEvent) => Promise<void>;
}

/** @param logicalResourceId id of the resource in its stack */
export async function startSmallCloudFormation(logicalResourceId = 'l') {
  let answer: unknown;
  let contentType: string | undefined;
  const server = createServer(async (request, response) => {
    answer = await json(request);
    contentType = request.headers['content-type'];
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const given = {
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: logicalResourceId,
    ResponseURL: `http://127.0.0.1:${port}/`,
  };
  return {
    /** Sends the event, and returns the response. */
    async send({ handler }: CustomResourceModule, event: object): Promise<unknown> {
      await handler({ ...given, ...event } as CloudFormationCustomResourceEvent);
      return answer;
    },
    /** Returns the content type of the last response. */
    contentType: () => contentType,
    stop: () => void server.close(),
  };
}

export type SmallCloudFormation = Awaited<ReturnType<typeof startSmallCloudFormation>>;
