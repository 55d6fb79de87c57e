/** Tests that the examples that need a GPU can be deployed, and that their pages are correct. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readPools } from '../../lib/capacity/pool-declaration.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { stackOf, synthesizeWith } from '../lib/synthesis.ts';
import { costRows, costsIn, costTable, moved } from './gpu-costs.ts';

const examples = Object.keys(moved).map((name) => {
  const root = join('examples', name);
  const [endpoint] = readDeclarations(root);
  const [pool] = readPools(root);
  if (!endpoint || !pool) throw new Error(`${root} has no endpoint or no pool.`);
  const page = join(root, 'README.md');
  return { name, root, endpoint, pool, page, text: readFileSync(page, 'utf8') };
});

const cellsIn = (text: string) => [...text.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);

describe('the examples for GPUs', () => {
  const pools = new Map(examples.map(({ pool }) => [pool.id, pool]));
  const endpoints = examples.map(({ endpoint }) => endpoint);

  it('name their endpoints differently, and agree on the pools that they share', () => {
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(examples.length);
    for (const { pool } of examples) expect(pool).toEqual(pools.get(pool.id));
  });

  it('are all examples except those that run on a laptop', () => {
    const found = globSync('examples/*/endpoints').map((folder) => folder.split('/')[1]);
    expect(new Set(found)).toEqual(new Set(Object.keys(moved)));
  });

  it('become stacks whose service has one GPU for each worker', () => {
    const stacks = synthesizeWith({ ingress: 'off' }, endpoints, [...pools.values()]);
    for (const { endpoint } of examples) {
      const { template } = stackOf(stacks, `Endpoint-${endpoint.id}`);
      const [task] = Object.values(template.findResources('AWS::ECS::TaskDefinition'));
      const containers = task?.Properties.ContainerDefinitions as { ResourceRequirements?: object[] }[];
      expect(containers.flatMap(({ ResourceRequirements = [] }) => ResourceRequirements)).toEqual([
        { Type: 'GPU', Value: '1' },
      ]);
      template.resourceCountIs('AWS::ECS::Service', 1);
    }
  });
});

describe.each(examples)('the page of examples/$name', ({ name, root, endpoint, pool, page, text }) => {
  it('states that it was not run on a GPU', () => {
    expect(text).toContain('**Not tested on a GPU.**');
  });

  it('has the prices of lib/prices', () => {
    expect(costsIn(text)).toBe(costTable(costRows(pool.instanceTypes, moved[name] ?? {})));
  });

  it('explains each variable that the endpoint sets', () => {
    expect(cellsIn(text)).toEqual(expect.arrayContaining(Object.keys(endpoint.env ?? {})));
  });

  it('contains calls of only its own endpoint, with JSON bodies', () => {
    const called = [...text.matchAll(/\$URL\/([\w-]+)\//g)].map(([, id]) => id);
    expect(new Set(called)).toEqual(new Set([endpoint.id]));
    const bodies = [...text.matchAll(/(?:-d|printf) '(.*?)'/gs)].map(([, body = '']) => body);
    const files = [...text.matchAll(/-d @(\S+\.json)/g)].map(([, file = '']) => readFileSync(file, 'utf8'));
    expect(bodies.length + files.length).toBeGreaterThan(0);
    for (const body of [...bodies, ...files]) expect(() => JSON.parse(body)).not.toThrow();
  });

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !link.startsWith('https://'));
    expect(local.filter((link) => !existsSync(join(dirname(page), link.split('#')[0] ?? '')))).toEqual([]);
  });

  it('has a command that copies the folders of the endpoint and its pool', () => {
    const [, copied] = /^cp -r (.*) \.$/m.exec(text) ?? [];
    expect(copied).toBe(`${root}/capacity ${root}/endpoints`);
  });
});
