import { describe, expect, it } from '@jest/globals';
import { createPaths } from '../../ingress/paths.ts';

const find = createPaths(['run', 'runsync', 'status-sync', 'openai']);

describe('the path of a request', () => {
  it.each([
    ['POST', '/v2/echo/run', { operation: 'run', endpoint: 'echo', job: '' }],
    ['POST', '/v2/echo/run/', { operation: 'run', endpoint: 'echo', job: '' }],
    ['POST', '/v2/v2/echo/runsync', { operation: 'runsync', endpoint: 'echo', job: '' }],
    ['POST', '/v2/v2/run', { operation: 'run', endpoint: 'v2', job: '' }],
    ['GET', '/v2/a%20b/status-sync/c%2Fd', { operation: 'status-sync', endpoint: 'a b', job: 'c/d' }],
    ['GET', '/v2/echo/openai/v1/models', { operation: 'openai', endpoint: 'echo', job: '', path: 'v1/models' }],
    ['POST', '/v2/e/openai/v1/a%2Fb%20c/', { operation: 'openai', endpoint: 'e', job: '', path: 'v1/a/b c/' }],
  ])('contains the operation, endpoint and job: %s %s', (method, path, target) => {
    expect(find(method, path)).toEqual({ path: '', ...target });
  });

  it.each([
    ['GET', '/v2/echo/run'],
    ['POST', '/echo/run'],
    ['POST', '/v2/v2/v2/echo/run'],
    ['POST', '/v2/echo/run/more'],
    ['GET', '/v2/echo/status-sync'],
    ['GET', '/v2/echo/status-sync/%zz'],
    ['GET', '/v2/echo/openai/%zz'],
    ['GET', '/v2/echo/openai/'],
    ['DELETE', '/v2/echo/openai/v1/models'],
    ['POST', '/v2/echo/cancel/1'],
  ])('belongs to no operation: %s %s', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});
