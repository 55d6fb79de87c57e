/** Simulates CloudFormation for custom resources of templates: sends events and receives the responses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

export interface Answer {
  readonly Status: string;
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: { readonly template: string; readonly takenBack: string };
}

export const onFargate = { category: 'CPU', largestDiskInGb: '200' };

export async function startSmallStacks() {
  let answer: unknown;
  const server = createServer(async (request, response) => {
    answer = await json(request);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function send(file: 'associate' | 'declare', event: object): Promise<Answer> {
    const { handler } = (await import(`../../lambda/templates/${file}.ts`)) as {
      handler: (event: CloudFormationCustomResourceEvent) => Promise<void>;
    };
    const { port } = server.address() as AddressInfo;
    const given = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l', ResponseURL: `http://127.0.0.1:${port}/` };
    await handler({ ...given, ...event } as CloudFormationCustomResourceEvent);
    return answer as Answer;
  }

  /** Simulates the stack of one endpoint over several deployments. */
  function stackOf(endpoint: string) {
    let properties: object | undefined;
    let id: string | undefined;
    return {
      /** Deploys the resource, and deletes a replaced one. @returns the response to the create or update */
      async deploy(differences: object): Promise<Answer> {
        const next = { endpoint, ...onFargate, ...differences };
        const event = properties
          ? { RequestType: 'Update', PhysicalResourceId: id, OldResourceProperties: properties }
          : { RequestType: 'Create' };
        const answered = await send('associate', { ...event, ResourceProperties: next });
        if (answered.Status !== 'SUCCESS') return answered;
        const [before, its] = [id, properties];
        [properties, id] = [next, answered.PhysicalResourceId];
        if (before !== undefined && before !== id)
          await send('associate', { RequestType: 'Delete', PhysicalResourceId: before, ResourceProperties: its });
        return answered;
      },
      destroy: () =>
        send('associate', { RequestType: 'Delete', PhysicalResourceId: id, ResourceProperties: properties ?? {} }),
    };
  }

  return { send, stackOf, stop: async () => void server.close() };
}

export type SmallStacks = Awaited<ReturnType<typeof startSmallStacks>>;
