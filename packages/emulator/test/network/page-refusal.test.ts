/** Tests which servers of `packages/emulator/` refuse the requests of web pages. `aws-proxy/signature.test.ts` tests the proxy. */
import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { callCustomResource } from '../../cloudformation/custom-resource-call.ts';
import { startMetadataServer } from '../../ecs/metadata.ts';
import type { Functions } from '../../functions/functions.ts';

/** The headers of a page of another origin, of a request that needs no permission, and of a page with this address. */
const pages: readonly Readonly<Record<string, string>>[] = [
  { Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Host: 'evil.example:80' },
];

/** @returns the status of the response */
function send(url: string, method: string, headers: Readonly<Record<string, string>>, body = ''): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { method, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .on('error', reject)
    .end(body);
  return promise;
}

describe('the metadata of tasks', () => {
  it('is not readable by web pages', async () => {
    const server = await startMetadataServer(async () => ({ status: 200, content: {} }));
    try {
      const url = `${server.agentAddress('a')}/task-protection/v1/state`;
      for (const headers of pages) expect(await send(url, 'PUT', headers)).toBe(403);
      expect(await send(url, 'PUT', {})).toBe(200);
    } finally {
      server.close();
    }
  });
});

describe('the response of a custom resource', () => {
  it('is accepted only at the address that its function got, and not from a web page', async () => {
    const said = (PhysicalResourceId: string) => JSON.stringify({ Status: 'SUCCESS', PhysicalResourceId });
    const statuses: number[] = [];
    const invoke = async (_: string, event: object) => {
      const { ResponseURL } = event as { readonly ResponseURL: string };
      for (const headers of pages) statuses.push(await send(ResponseURL, 'PUT', headers, said('evil')));
      statuses.push(await send(new URL('/other', ResponseURL).href, 'PUT', {}, said('evil')));
      await send(ResponseURL, 'PUT', {}, said('mine'));
      return '{}';
    };
    const event = {
      RequestType: 'Create' as const,
      StackId: 's',
      LogicalResourceId: 'l',
      ResourceType: 'Custom::Test',
      ServiceToken: 'f',
      ResourceProperties: {},
    };
    const functions = { invoke } as unknown as Functions;
    const answer = await callCustomResource(functions, event, { where: 'a test', limit: 30_000 });
    expect(answer.PhysicalResourceId).toBe('mine');
    expect(statuses).toEqual([403, 403, 403, 403]);
  });
});
