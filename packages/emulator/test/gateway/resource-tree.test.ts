import { describe, expect, it } from '@jest/globals';
import type { ResourceNode } from '../../gateway/model.ts';
import { findRoute, segmentsOf } from '../../gateway/resource-tree.ts';

/** Builds a tree of the paths. The methods of each resource follow its path. */
function treeOf(...resources: [path: string, ...methods: string[]][]): ResourceNode {
  const root: ResourceNode = { id: 'root', path: '/', methods: new Map(), children: new Map() };
  for (const [path, ...methods] of resources) {
    let node = root;
    for (const part of segmentsOf(path)) {
      const child = node.children.get(part) ?? {
        id: part,
        path: `${node.path === '/' ? '' : node.path}/${part}`,
        methods: new Map(),
        children: new Map(),
      };
      node.children.set(part, child);
      node = child;
    }
    for (const method of methods)
      node.methods.set(method, {
        resourceId: node.id,
        resourcePath: node.path,
        name: method,
        apiKeyRequired: false,
        integration: { functionArn: method, timeout: 1, streamed: false },
      });
  }
  return root;
}

const tree = treeOf(
  ['/', 'ANY'],
  ['/{endpoint}', 'ANY'],
  ['/{endpoint}/run', 'POST'],
  ['/{endpoint}/status/{job}', 'GET', 'POST'],
  ['/{endpoint}/{proxy+}', 'ANY'],
  ['/special/health', 'GET'],
  ['/special/{other}', 'GET'],
);

describe('a resource tree', () => {
  it.each<[string, string | undefined, Record<string, string>]>([
    ['POST /echo/run', '/{endpoint}/run', { endpoint: 'echo' }],
    ['GET /echo/status/1', '/{endpoint}/status/{job}', { endpoint: 'echo', job: '1' }],
    ['GET /echo/openai/v1/models', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'openai/v1/models' }],
    ['GET /special/health', '/special/health', {}],
    ['GET /special/run', '/special/{other}', { other: 'run' }],
    ['GET /special/a/b', '/{endpoint}/{proxy+}', { endpoint: 'special', proxy: 'a/b' }],
    ['PUT /echo', '/{endpoint}', { endpoint: 'echo' }],
    ['GET /', '/', {}],
    ['GET //run', undefined, {}],
    ['GET /echo/a%2Fb', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'a%2Fb' }],
    ['GET /echo//run', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: '/run' }],
    // A resource without the method yields to a less specific one.
    ['GET /echo/run', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'run' }],
    ['GET /echo/status', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'status' }],
    ['DELETE /echo/status/1', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'status/1' }],
    ['GET /echo/status/1/2', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'status/1/2' }],
    ['GET /special', '/{endpoint}', { endpoint: 'special' }],
  ])('finds the resource of %s', (request, resource, parameters) => {
    const [method = '', path = ''] = request.split(' ');
    const match = findRoute(tree, segmentsOf(path), method);
    expect(match?.node.path).toBe(resource);
    expect(match?.parameters ?? {}).toEqual(parameters);
  });
});

describe('a resource', () => {
  const methodOf = (httpMethod: string, path: string) => {
    return findRoute(tree, segmentsOf(path), httpMethod)?.method.name;
  };

  it.each([
    ['POST', '/echo/run', 'POST'],
    ['GET', '/echo/run', 'ANY'],
    ['DELETE', '/echo/anything', 'ANY'],
    // `ANY` covers the seven methods that API Gateway supports.
    ['HEAD', '/echo', 'ANY'],
    ['TRACE', '/echo', undefined],
    ['PROPFIND', '/echo/anything', undefined],
  ])('finds the method for %s %s', (httpMethod, path, expected) => {
    expect(methodOf(httpMethod, path)).toBe(expected);
  });
});
