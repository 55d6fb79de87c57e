/** Tests that the examples that need a GPU can be deployed, and that their pages are correct. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readPools } from '../../lib/capacity/pool-declaration.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { readPrices } from '../../lib/prices/prices.ts';
import { table } from '../bench/markdown.ts';
import { stackOf, synthesizeWith } from '../lib/synthesis.ts';

/** The GB that a new worker transfers: its image through the NAT gateway, and a model to or from the volume. */
interface Moved {
  /** @default - the image is in Amazon ECR, and does not pass through the NAT gateway */
  readonly image?: number;
  readonly model?: number;
}

const moved: Readonly<Record<string, Moved>> = {
  vllm: { image: 12, model: 15 },
  'worker-vllm': { image: 12, model: 15 },
  'worker-comfyui': { image: 15 },
  'worker-faster-whisper': {},
};

const examples = Object.keys(moved).map((name) => {
  const root = join('examples', name);
  const [endpoint] = readDeclarations(root);
  const [pool] = readPools(root);
  if (!endpoint || !pool) throw new Error(`${root} has no endpoint or no pool.`);
  const page = join(root, 'README.md');
  return { name, root, endpoint, pool, page, text: readFileSync(page, 'utf8') };
});

const prices = readPrices();
const dollars = (price: number) => price.toFixed(2);

/** Returns the table of costs that the page must contain. */
function costsOf(types: readonly string[], { image, model }: Moved): string {
  const { natProcessed, fileRead, fileWritten, fileMonth } = prices.perGb;
  const hours = types.map((type) => [
    `an hour of a worker on \`${type}\`, on demand`,
    String(prices.instanceHour[type]?.price),
  ]);
  const pull = (gb: number) => [
    [`a new instance: ${gb} GB of image through the NAT gateway`, dollars(gb * natProcessed.price)],
  ];
  const volume = (gb: number) => [
    [`the first start: ${gb} GB of model to the volume`, dollars(gb * (natProcessed.price + fileWritten.price))],
    [`each later start: ${gb} GB of model from the volume`, dollars(gb * fileRead.price)],
    [`a month of ${gb} GB on the volume, at most`, dollars(gb * fileMonth.price)],
  ];
  const rows = [...hours, ...(image === undefined ? [] : pull(image)), ...(model === undefined ? [] : volume(model))];
  return table(['what AWS charges in us-east-1', 'dollars'], 1, rows);
}

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
    const [, costs] = /<!-- cost -->(.*?)<!-- \/cost -->/s.exec(text) ?? [];
    expect(costs?.trim()).toBe(costsOf(pool.instanceTypes, moved[name] ?? {}));
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
