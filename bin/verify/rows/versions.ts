import { describe, it } from 'node:test';
import { expect } from 'expect';
import { type Interface, readDescription } from '../described.ts';
import type { Suite } from '../suite.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string };
}
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;

export function versions({ askAt, target }: Suite): void {
  describe('an interface', () => {
    it('[version.jobs] of jobs has the version v2 at the end of its base address', async () => {
      expect(target.serverlessUrl).toMatch(/\/v2$/);
      expect((await askAt('jobs', 'GET', `/${target.endpoint}/health`)).status).toBe(200);
    });

    it('[version.management] of management has the version v1 at the end of its base address', async () => {
      expect(target.baseUrl).toMatch(/\/v1$/);
      const { status, json } = await askAt('management', 'GET', '/endpoints');
      const { endpoint: id } = target;
      expect([status, json.endpoints]).toEqual([200, expect.arrayContaining([expect.objectContaining({ id })])]);
    });

    it('[version.unknown] answers an unknown version with 404 in the common error shape, if the service has the front door', async () => {
      const { serverlessUrl, endpoint, key } = target;
      const url = `${serverlessUrl.replace(/v2$/, 'v3')}/${endpoint}/health`;
      const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      const requestId = expect.stringMatching(/./);
      const notFound = [404, { error: expect.stringMatching(/./), code: 'ROUTE_NOT_FOUND', requestId }];
      const isOfAws = new URL(url).hostname.includes('.execute-api.');
      expect([response.status, await response.json()]).toEqual(
        isOfAws ? [403, { message: expect.any(String) }] : notFound,
      );
    });

    const describes = async (name: Interface) => {
      const { status, json } = await askAt(name, 'GET', '/openapi.json', { headers: {} });
      expect([status, json]).toEqual([200, readDescription(name)]);
    };

    it('[description.jobs] of jobs describes itself, without a key', () => describes('jobs'));

    it('[description.management] of management describes itself, without a key', () => describes('management'));

    it('[description.limits] states the minimum and the maximum of each number in a query', async () => {
      const { json } = await askAt('jobs', 'GET', '/openapi.json', { headers: {} });
      const operations = Object.values(json.paths as Paths).flatMap((path) => Object.values(path));
      const numbers = operations
        .flatMap(({ parameters = [] }) => parameters)
        .filter((parameter) => parameter.in === 'query' && parameter.schema.type === 'integer');
      expect(numbers.length).toBeGreaterThan(5);
      const bounds = { minimum: expect.any(Number), maximum: expect.any(Number) };
      for (const { name, schema } of numbers) expect([name, schema]).toEqual([name, expect.objectContaining(bounds)]);
    });
  });
}
