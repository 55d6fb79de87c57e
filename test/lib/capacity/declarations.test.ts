import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readPools } from '../../../lib/capacity/pool-declaration.ts';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { declared } from '../../support/declared.ts';

const root = mkdtempSync(join(tmpdir(), 'capacity-'));
const write = (name: string, content: string) => writeFileSync(join(root, name), content);

beforeEach(() => {
  for (const folder of ['capacity', 'endpoints']) {
    rmSync(join(root, folder), { recursive: true, force: true });
    mkdirSync(join(root, folder));
  }
});
afterAll(() => rmSync(root, { recursive: true }));

/** Returns the problems in the file, one per line. */
function problemsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

function poolProblems(content: string): string[] {
  write('capacity/one.yaml', content);
  return problemsOf(() => readPools(root)).map((line) => line.replace('capacity/one.yaml: ', ''));
}

describe('the pools of the examples', () => {
  it('are one NVIDIA pool, whose file shows every field', () => {
    expect(readPools(declared).map(({ id, kind }) => [id, kind])).toEqual([['nvidia', 'nvidia']]);
    const [pool = {}] = readPools(declared);
    const file = readFileSync(join(declared, 'capacity/nvidia.yaml'), 'utf8');
    for (const field of [...Object.keys(pool), 'image'].filter((name) => name !== 'id'))
      expect(file).toMatch(new RegExp(`^(?:# )?${field}:`, 'm'));
  });
});

describe('a pool', () => {
  it('requires a kind and its instance types; every other field has a default', () => {
    write('capacity/large.yaml', 'kind: nvidia\ninstanceTypes: [g6e.xlarge, p5.48xlarge]');
    expect(readPools(root)).toEqual([
      {
        id: 'large',
        kind: 'nvidia',
        instanceTypes: ['g6e.xlarge', 'p5.48xlarge'],
        spot: false,
        maxInstances: 10,
        warmInstances: 0,
        emptyFor: 180_000,
        disk: 'ebs',
        diskInGb: 100,
        diskThroughput: 500,
        isolation: 'none',
        rootDevice: '/dev/xvda',
      },
    ]);
  });

  const nvidia = 'kind: nvidia\ninstanceTypes: [g6.xlarge]\n';
  const amd = 'kind: amd\nimage: ami-0123456789abcdef0\n';

  it.each([
    [`${nvidia}spot: true\nmaxInstances: 1000`],
    [`${nvidia}warmInstances: 10\nimage: ami-01234567\nrootDevice: /dev/sda1`],
    [`${nvidia}isolation: endpoint`],
    [`${nvidia}emptyFor: 0`],
    [`${nvidia}emptyFor: 900000`],
    [`${amd}instanceTypes: [g4ad.16xlarge]`],
    [`${nvidia}diskThroughput: 1000`],
    [`${nvidia}disk: local`],
  ])('can have the fields %j', (content) => {
    expect(poolProblems(content)).toEqual([]);
  });

  it.each([
    ['kind: intel\ninstanceTypes: [g6.xlarge]', '`kind` must be one of nvidia, amd, got "intel"'],
    [
      'kind: nvidia',
      '`instanceTypes` must be a list of EC2 instance types, such as [g6.xlarge, g5.xlarge], got nothing',
    ],
    ['kind: nvidia\ninstanceTypes: [g6.xlarge, g6.xlarge]', '`instanceTypes` must contain each type only once'],
    ['kind: nvidia\ninstanceTypes: [m7i.large]', '`instanceTypes` must contain only g4dn.xlarge, '],
    ['kind: nvidia\ninstanceTypes: [g4ad.xlarge]', 'with `kind: nvidia`, got ["g4ad.xlarge"]'],
    [`${nvidia}maxInstances: 0`, '`maxInstances` must be a whole number from 1 to 1000, got 0'],
    [`${nvidia}warmInstances: 11`, '`warmInstances` must be at most `maxInstances`, which is 10, got 11'],
    [
      `${nvidia}warmInstances: 1\nspot: true`,
      '`warmInstances` must be 0 with `spot: true`: a warm pool cannot contain Spot Instances',
    ],
    [
      'kind: nvidia\ninstanceTypes: [g6.xlarge, g5.xlarge]\nwarmInstances: 1',
      '`warmInstances` must be 0 with several `instanceTypes`: a warm pool contains a single type, got 1',
    ],
    [`${nvidia}disk: nvme`, '`disk` must be one of ebs, local, got "nvme"'],
    [`${nvidia}diskThroughput: 124`, '`diskThroughput` must be a whole number from 125 to 1000, got 124'],
    [`${nvidia}emptyFor: 900001`, '`emptyFor` must be a whole number from 0 to 900000, got 900001'],
    [
      `${nvidia}warmInstances: 1\nemptyFor: 1000`,
      '`emptyFor` must be omitted with `warmInstances`: ECS alone launches and ends instances of such a pool, got 1000',
    ],
    [
      `${nvidia}disk: local\nwarmInstances: 1`,
      '`disk` must be ebs with `warmInstances`: a stopped instance loses its own disks, got "local"',
    ],
    [
      `${nvidia}disk: local\ndiskInGb: 100`,
      '`diskInGb` must be omitted with `disk: local`, which uses all of the disks',
    ],
    [`${nvidia}disk: local\ndiskThroughput: 500`, '`diskThroughput` must be omitted with `disk: local`'],
    [`${nvidia}image: latest`, '`image` must be the id of an AMI, such as ami-0123456789abcdef0, got "latest"'],
    [`${nvidia}isolation: pool`, '`isolation` must be one of none, endpoint, got "pool"'],
    [`${nvidia}gpus: 1`, '`gpus` is not a field; the fields are kind, instanceTypes, spot, maxInstances, warm'],
    [`${amd}instanceTypes: [g4ad.xlarge, g4ad.2xlarge]`, '`instanceTypes` must be a single type with `kind: amd`'],
    ['kind: amd\ninstanceTypes: [g4ad.xlarge]', 'AWS does not provide an ECS image with AMD drivers, got nothing'],
  ])('is refused for %j with the field, the value and the allowed values', (content, problem) => {
    expect(poolProblems(content)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['cpu.yaml', 'Large.yaml', '1.yaml', `${'a'.repeat(33)}.yaml`])('cannot have the id %s', (name) => {
    write(`capacity/${name}`, nvidia);
    expect(problemsOf(() => readPools(root))).toEqual([expect.stringMatching(/ must be a name of at most 32 /)]);
  });
});

describe('a pool with `disk: local`', () => {
  it('has the disk of its smallest instance type, less what formatting takes', () => {
    write('capacity/local.yaml', 'kind: nvidia\ninstanceTypes: [g6.2xlarge, g6.xlarge]\ndisk: local');
    expect(readPools(root)).toEqual([expect.objectContaining({ disk: 'local', diskInGb: 237 })]);
  });
});

describe('an endpoint on a pool', () => {
  beforeEach(() => {
    write('capacity/large.yaml', 'kind: nvidia\ninstanceTypes: [g5.12xlarge, g5.48xlarge]\nspot: true\ndiskInGb: 800');
    write('capacity/red.yaml', 'kind: amd\ninstanceTypes: [g4ad.8xlarge]\nimage: ami-0123456789abcdef0');
  });

  function problems(content: string): string[] {
    write('endpoints/e.yaml', `image: team/worker\n${content}`);
    return problemsOf(() => readDeclarations(root)).map((line) => line.replace('endpoints/e.yaml: ', ''));
  }

  it.each([
    ['capacity: large'],
    ['capacity: large\ngpus: 4\nspot: true\ncontainerDiskInGb: 400'],
    ['capacity: large\ncpu: 49152\nmemory: 176947\ngpus: 2\ncontainerDiskInGb: 200'],
    ['capacity: large\ncpu: 128\nmemory: 512\nsharedMemorySize: 64\ncontainerDiskInGb: 133'],
    ['capacity: red\ngpus: 2\nspot: false\nsharedMemorySize: 1024\ncontainerDiskInGb: 100'],
  ])('can have the fields %j', (content) => {
    expect(problems(content)).toEqual([]);
  });

  const each = 'with `capacity: large`: each instance type of the pool (g5.12xlarge, g5.48xlarge) must have';
  it.each([
    ['capacity: small', '`capacity` must be one of cpu, large, red, got "small"'],
    ['capacity: large\ngpus: 5', `\`gpus\` must be from 1 to 4 ${each} that many GPUs, got 5`],
    ['capacity: large\ngpus: 0', '`gpus` must be a whole number from 1 to 8, got 0'],
    ['capacity: large\ncpu: 49153', `\`cpu\` must be from 128 to 49152 ${each} that many CPU units, got 49153`],
    [
      'capacity: large\nmemory: 176948',
      `\`memory\` must be from 512 to 176947 ${each} that many MiB for workers, got 176948`,
    ],
    [
      'capacity: large\nspot: false',
      '`spot` must be true with `capacity: large`, because capacity/large.yaml has `spot: true`, got false',
    ],
    [
      'capacity: large\ncontainerDiskInGb: 134',
      '`containerDiskInGb` must be at most 133 with `capacity: large`: the disk of an instance has 800 GB, and the maximum number of workers on it is 6, got 134',
    ],
    [
      'capacity: large\nmemory: 2000\nsharedMemorySize: 2001',
      '`sharedMemorySize` must be from 64 to 2000, the MiB of memory of a worker, got 2001',
    ],
    [
      'capacity: red\nsharedMemorySize: 63',
      '`sharedMemorySize` must be from 64 to 117964, the MiB of memory of a worker, got 63',
    ],
    [
      'capacity: cpu\nsharedMemorySize: 64',
      '`sharedMemorySize` must be omitted with `capacity: cpu`: Fargate does not support it, got 64',
    ],
    [
      'capacity: red\ngpus: 1',
      '`gpus` must be 2 with `capacity: red`: each worker gets a whole instance (g4ad.8xlarge), got 1',
    ],
    [
      'capacity: red\nmemory: 1024',
      '`memory` must be omitted with `capacity: red`: each worker gets a whole instance (g4ad.8xlarge), got 1024',
    ],
    [
      'capacity: red\ncontainerDiskInGb: 101',
      'the disk of an instance has 100 GB, and the maximum number of workers on it is 1, got 101',
    ],
  ])('is refused for %j, with the reason', (content, problem) => {
    expect(problems(content)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('a pool with `isolation: endpoint`', () => {
  const place = (endpoint: string, capacity: string) =>
    write(`endpoints/${endpoint}.yaml`, `image: team/worker\ncapacity: ${capacity}`);

  beforeEach(() => {
    for (const [id, isolation] of Object.entries({ own: 'endpoint', shared: 'none' }))
      write(`capacity/${id}.yaml`, `kind: nvidia\ninstanceTypes: [g6.xlarge]\nisolation: ${isolation}`);
  });

  it('accepts one endpoint, while several endpoints share another pool', () => {
    place('a', 'own');
    place('b', 'shared');
    place('c', 'shared');
    expect(readDeclarations(root).map(({ capacity }) => capacity)).toEqual(['own', 'shared', 'shared']);
  });

  it('refuses each further endpoint with an error that names both endpoints and the pool', () => {
    for (const id of ['a', 'b', 'c']) place(id, 'own');
    const refusal = (id: string) =>
      `endpoint ${id}: \`capacity\` must not be own: that pool has \`isolation: endpoint\`, and endpoint a already uses it`;
    expect(problemsOf(() => readDeclarations(root))).toEqual([
      expect.stringContaining(refusal('b')),
      expect.stringContaining(refusal('c')),
    ]);
  });
});
