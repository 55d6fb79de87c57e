/** Tests the templates table over the emulator. */
import type { BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createTemplates } from '../../aws/templates/templates.ts';
import type { Templates } from '../../core/templates/store.ts';
import type { Template } from '../../core/templates/template.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let templates: Templates;

beforeAll(async () => {
  templates = createTemplates(createDocumentClient(), 'TEMPLATES_TABLE', emulated.clock);
});

const template = (id: string, changed: Partial<Template> = {}): Template => ({
  id,
  name: `Name of ${id}`,
  imageName: 'team/worker:1.2',
  category: 'NVIDIA',
  containerDiskInGb: 50,
  volumeInGb: 20,
  volumeMountPath: '/workspace',
  dockerEntrypoint: [],
  dockerStartCmd: ['serve', ''],
  env: { MODE: 'quick', EMPTY: '', constructor: 'a', toString: 'b' },
  ports: [],
  isPublic: false,
  isServerless: true,
  readme: '',
  owner: 'ada',
  origin: 'api',
  version: 1,
  edition: 1,
  createdAt: 1,
  updatedAt: 1,
  ...changed,
});

async function listed(after?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of templates.list(after)) ids.push(id);
  return ids;
}

describe('a template in DynamoDB', () => {
  it('is returned as it was stored, by its id and by its name', async () => {
    const stored = template('stored', { containerRegistryAuthId: 'team' });
    expect(await templates.create(stored)).toBe('written');
    expect(await templates.read('stored')).toEqual(stored);
    expect(await templates.named(' NAME OF ﬆored')).toBe('stored');
    expect(await templates.read('Stored'.repeat(1_000))).toBeUndefined();
  });

  it('has a unique name, so that only one of 100 simultaneous writes succeeds', async () => {
    const all = Array.from({ length: 100 }, (_, n) => template(`one-${n}`, { name: n % 2 ? 'Only' : 'ONLY' }));
    const written = await Promise.all(all.map((each) => templates.create(each)));
    expect(written.toSorted()).toEqual([...Array.from({ length: 99 }, () => 'name taken'), 'written']);
    expect((await listed()).filter((id) => id.startsWith('one-'))).toEqual([`one-${written.indexOf('written')}`]);
  });

  it('does not overwrite another template with its id', async () => {
    await templates.create(template('twice'));
    expect(await templates.create(template('twice', { name: 'Another' }))).toBe('changed');
    expect(await templates.named('Another')).toBeUndefined();
  });

  it('is replaced together with its name, unless another write was first', async () => {
    const first = template('renamed', { name: 'Before' });
    await templates.create(first);
    await templates.create(template('other', { name: 'Taken' }));
    expect(await templates.replace(first, { ...first, edition: 2, name: 'taken' })).toBe('name taken');
    const second = { ...first, edition: 2, name: 'After' };
    expect(await templates.replace(first, second)).toBe('written');
    expect(await templates.replace(first, { ...first, edition: 2, name: 'Late' })).toBe('changed');
    expect(await templates.read('renamed')).toEqual(second);
    const names = ['Before', 'After', 'Late'].map((name) => templates.named(name));
    expect(await Promise.all(names)).toEqual([undefined, 'renamed', undefined]);
    expect(await templates.replace(second, { ...second, edition: 3, name: 'AFTER' })).toBe('written');
    expect(await templates.named('after')).toBe('renamed');
  });

  it('is listed with other templates by id, starting after a given id', async () => {
    const ids = ['list-a', 'list-b', 'list-c'];
    for (const id of ids.toReversed()) await templates.create(template(id));
    expect((await listed()).filter((id) => id.startsWith('list-'))).toEqual(ids);
    expect((await listed('list-a')).slice(0, 2)).toEqual(['list-b', 'list-c']);
  });

  it('is deleted only if no endpoint uses it, after which its name is free', async () => {
    const used = template('used');
    await templates.create(used);
    expect(await templates.associate('used', 'echo')).toBe(true);
    expect(await templates.associate('used', 'tts')).toBe(true);
    expect(await templates.endpointsOf('used')).toEqual(['echo', 'tts']);
    expect(await templates.remove(used)).toBe(false);
    for (const endpoint of ['echo', 'tts', 'tts']) await templates.dissociate('used', endpoint);
    expect(await templates.endpointsOf('used')).toEqual([]);
    expect(await templates.remove({ ...used, edition: 2 })).toBe(false);
    expect(await templates.remove(used)).toBe(true);
    expect(await templates.read('used')).toBeUndefined();
    expect(await templates.associate('used', 'echo')).toBe(false);
    expect(await templates.replace(used, used)).toBe('changed');
    expect(await templates.create(used)).toBe('written');
  });
});

describe('the run time of a template', () => {
  it('counts the run of each worker once', async () => {
    const run = { worker: 'w1', template: 'metered', milliseconds: 90_000 };
    await templates.create(template('metered'));
    await Promise.all([run, run, run].map((each) => templates.addRunTime(each)));
    await templates.addRunTime({ ...run, worker: 'w2', milliseconds: 30_001 });
    expect(await templates.runTimes(['metered', 'metered', 'never-run'])).toEqual(new Map([['metered', 120_001]]));
    expect(await templates.runTimes([])).toEqual(new Map());
  });

  it('does not include a worker that stops after an earlier template with the same id was removed', async () => {
    const earlier = template('again');
    await templates.create(earlier);
    expect(await templates.remove(earlier)).toBe(true);
    await templates.addRunTime({ worker: 'late', template: 'again', milliseconds: 90_000 });
    await templates.create(earlier);
    expect(await templates.runTimes(['again'])).toEqual(new Map());
  });

  /** Returns templates whose first reads of run times return no item, and the pauses between the reads. */
  function withIncompleteReads(incomplete: number) {
    const pauses: number[] = [];
    let left = incomplete;
    const documents = createDocumentClient((client) =>
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            const answer = await next(args);
            if (commandName !== 'BatchGetItemCommand' || left === 0) return answer;
            left -= 1;
            const UnprocessedKeys = (args.input as BatchGetCommandInput).RequestItems;
            return { ...answer, output: { ...answer.output, Responses: {}, UnprocessedKeys } };
          },
        { step: 'initialize', priority: 'high', name: 'incomplete' },
      ),
    );
    const clock = { now: () => 0, pause: async (milliseconds: number) => void pauses.push(milliseconds) };
    return { incomplete: createTemplates(documents, 'TEMPLATES_TABLE', clock), pauses };
  }

  it('is read again after a pause if DynamoDB has not read it', async () => {
    await templates.create(template('throttled'));
    await templates.addRunTime({ worker: 'w3', template: 'throttled', milliseconds: 5 });
    const { incomplete, pauses } = withIncompleteReads(2);
    expect(await incomplete.runTimes(['throttled'])).toEqual(new Map([['throttled', 5]]));
    expect(pauses).toHaveLength(2);
  });

  it('is an error if DynamoDB never reads it', async () => {
    const { incomplete } = withIncompleteReads(100);
    await expect(incomplete.runTimes(['throttled', 'metered'])).rejects.toThrow(
      'DynamoDB did not read the run time of 2 templates in 12 attempts.',
    );
  });
});
