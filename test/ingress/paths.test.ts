import { describe, expect, it } from '@jest/globals';
import { createPaths } from '../../ingress/paths.ts';

const find = createPaths(['run', 'runsync', 'status-sync']);

describe('the path of a request', () => {
  it.each([
    ['POST', '/v2/echo/run', { operation: 'run', endpoint: 'echo', job: '' }],
    ['POST', '/v2/echo/run/', { operation: 'run', endpoint: 'echo', job: '' }],
    ['POST', '/v2/v2/echo/runsync', { operation: 'runsync', endpoint: 'echo', job: '' }],
    ['POST', '/v2/v2/run', { operation: 'run', endpoint: 'v2', job: '' }],
    ['GET', '/v2/a%20b/status-sync/c%2Fd', { operation: 'status-sync', endpoint: 'a b', job: 'c/d' }],
  ])('%s %s names its operation, endpoint and job', (method, path, target) => {
    expect(find(method, path)).toEqual(target);
  });

  it.each([
    ['GET', '/v2/echo/run'],
    ['POST', '/echo/run'],
    ['POST', '/v2/v2/v2/echo/run'],
    ['POST', '/v2/echo/run/more'],
    ['GET', '/v2/echo/status-sync'],
    ['GET', '/v2/echo/status-sync/%zz'],
    ['POST', '/v2/echo/cancel/1'],
  ])('%s %s is of no operation', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});
