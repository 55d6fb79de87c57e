import { describe, expect, it } from '@jest/globals';
import { findMethod, findResource, type ResourceNode, segmentsOf } from '../../local/gateway/resource-tree.ts';

/** A tree of the paths; each resource has the methods after its path. */
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
  ['/{endpoint}/run', 'POST'],
  ['/{endpoint}/status/{job}', 'GET', 'POST'],
  ['/{endpoint}/{proxy+}', 'ANY'],
  ['/special/health', 'GET'],
  ['/special/{other}', 'GET'],
);

describe('the resource of a path', () => {
  it.each<[string, string | undefined, Record<string, string>]>([
    ['/echo/run', '/{endpoint}/run', { endpoint: 'echo' }],
    ['/echo/status/1', '/{endpoint}/status/{job}', { endpoint: 'echo', job: '1' }],
    ['/echo/openai/v1/models', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'openai/v1/models' }],
    ['/echo/status', '/{endpoint}/status', { endpoint: 'echo' }],
    ['/special/health', '/special/health', {}],
    ['/special/run', '/special/{other}', { other: 'run' }],
    ['/special/a/b', '/{endpoint}/{proxy+}', { endpoint: 'special', proxy: 'a/b' }],
    ['/echo', '/{endpoint}', { endpoint: 'echo' }],
    ['/', '/', {}],
    ['//run', undefined, {}],
    ['/echo/a%2Fb', '/{endpoint}/{proxy+}', { endpoint: 'echo', proxy: 'a%2Fb' }],
  ])('%s', (path, resource, parameters) => {
    const match = findResource(tree, segmentsOf(path));
    expect(match?.node.path).toBe(resource);
    expect(match?.parameters ?? {}).toEqual(parameters);
  });
});

describe('the method of a resource', () => {
  const methodOf = (httpMethod: string, path: string) => {
    const match = findResource(tree, segmentsOf(path));
    return match && findMethod(match.node, httpMethod)?.name;
  };

  it.each([
    ['POST', '/echo/run', 'POST'],
    ['GET', '/echo/run', undefined],
    ['DELETE', '/echo/anything', 'ANY'],
    ['GET', '/echo', undefined],
  ])('%s %s', (httpMethod, path, expected) => {
    expect(methodOf(httpMethod, path)).toBe(expected);
  });
});
