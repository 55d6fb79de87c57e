import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { beginnings, createPaths } from '../../ingress/paths.ts';

const operations = ['run', 'runsync', 'status-sync', 'openai'] as const;
const find = createPaths(operations, beginnings.distribution);
const findOfGateway = createPaths(operations, beginnings.gateway);

describe('the path of a request', () => {
  it.each([
    ['POST', '/echo/run', { operation: 'run', endpoint: 'echo', job: '' }],
    ['POST', '/v2/run', { operation: 'run', endpoint: 'v2', job: '' }],
    ['POST', '/gateway/runsync', { operation: 'runsync', endpoint: 'gateway', job: '' }],
    ['GET', '/a%20b/status-sync/c%2Fd', { operation: 'status-sync', endpoint: 'a b', job: 'c/d' }],
    ['GET', '/echo/openai/v1/models', { operation: 'openai', endpoint: 'echo', job: '', path: 'v1/models' }],
    ['POST', '/e/openai/v1/a%2Fb%20c/', { operation: 'openai', endpoint: 'e', job: '', path: 'v1/a/b c/' }],
    ['GET', '/v2/openai/status-sync/1', { operation: 'openai', endpoint: 'v2', job: '', path: 'status-sync/1' }],
  ])('contains the operation, endpoint and job, from every sender: %s %s', (method, path, target) => {
    const expected = { path: '', ...target };
    expect(find(method, `/v2${path}`)).toEqual(expected);
    expect(findOfGateway(method, `/gateway${path}`)).toEqual(expected);
    expect(findOfGateway(method, `/v2/gateway${path}`)).toEqual(expected);
  });

  it.each([
    ['GET', '/echo/run'],
    ['POST', '/echo/run/'],
    ['POST', '/echo/run/more'],
    ['GET', '/echo/status-sync'],
    ['GET', '/echo/openai/'],
    ['OPTIONS', '/echo/openai/v1/models'],
    ['POST', '/echo/cancel/1'],
    ['POST', '/v2/echo/run'],
    ['POST', '/gateway/echo/run'],
  ])('belongs to no operation: %s %s', (method, path) => {
    expect(find(method, `/v2${path}`)).toBeUndefined();
    expect(findOfGateway(method, `/gateway${path}`)).toBeUndefined();
  });

  it.each(['/echo/status-sync/%zz', '/%ff/status-sync/1', '/echo/openai/%E0%A4%A'])(
    'is refused with its rule if it is not UTF-8 in percent-encoding: %s',
    (path) => {
      expect(() => find('GET', `/v2${path}`)).toThrow(InvalidRequest);
      expect(() => findOfGateway('GET', `/gateway${path}`)).toThrow('must be UTF-8 in percent-encoding');
    },
  );

  it.each(['/echo/run', '/v2/v2/echo/run', '/v2/gateway/echo/run', '/gateway/echo/run'])(
    'belongs to no operation if the distribution has not put the stage before it once: %s',
    (path) => {
      expect(find('POST', path)).toBeUndefined();
    },
  );

  it.each(['/echo/run', '/v2/echo/run', '/v2/v2/gateway/echo/run', '/gateway/v2/echo/run'])(
    'belongs to no operation if it is not the path of an integration: %s',
    (path) => {
      expect(findOfGateway('POST', path)).toBeUndefined();
    },
  );
});
