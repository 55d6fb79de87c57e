import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { App, Stack, Tags } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { addStacks } from '../../lib/deployment/deployment.ts';
import { fromFolder, GpuEndpoints, type GpuEndpointsProps } from '../../lib/gpu-endpoints.ts';
import { declared } from '../support/declared.ts';
import { unbundled } from './synthesis.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-construct-'));
afterAll(() => rmSync(root, { recursive: true }));

const newApp = (more: object = {}) => new App({ context: { ...unbundled, ...more } });

/** Returns the templates by the names of their stacks. */
const templatesOf = (app: App) =>
  Object.fromEntries(app.synth().stacksRecursively.map(({ stackName, template }) => [stackName, template as object]));

function templatesWith(props: GpuEndpointsProps, more: object = {}) {
  const app = newApp(more);
  new GpuEndpoints(app, 'Gpu', props);
  return templatesOf(app);
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Tagged }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
}
interface Tagged {
  readonly Name?: unknown;
  readonly Tags?: readonly { readonly Key: string; readonly Value: unknown }[];
}

/** Returns what must not depend on where a stack is in an app: types and names of resources, and names of parameters. */
function namesIn(template: object): object {
  const { Resources, Parameters = {} } = template as Template;
  const nameTag = ({ Tags: tags }: Tagged) =>
    Array.isArray(tags) ? tags.find(({ Key }) => Key === 'Name')?.Value : undefined;
  const resources = Object.values(Resources).map(({ Type, Properties = {} }) => [
    Type,
    Properties.Name,
    nameTag(Properties),
  ]);
  return { resources: resources.map((each) => JSON.stringify(each)).sort(), parameters: Parameters };
}
const allNames = (templates: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, namesIn(template)]));

describe('GpuEndpoints', () => {
  it('has the names of stacks that are children of the app, wherever it is in an app', () => {
    const { endpoints: [endpoint] = [], pools = [], templates = [] } = fromFolder(declared);
    const endpoints = endpoint ? [endpoint] : [];
    const app = newApp();
    addStacks(app, endpoints, { pools, templates });
    const expected = allNames(templatesOf(app));
    expect(Object.keys(expected)).toContain('gpu-endpoints-Endpoint-echo');
    expect(JSON.stringify(expected)).toContain('gpu-endpoints/Fleet/Vpc');
    const nested = newApp();
    new GpuEndpoints(new Construct(nested, 'Team'), 'Gpu', { endpoints, pools, templates });
    expect(allNames(templatesOf(nested))).toEqual(expected);
  });

  it('has the settings of its props, which other constructs of the app do not get', () => {
    const app = newApp();
    const gpu = new GpuEndpoints(app, 'Gpu', { settings: { deployment: 'team' } });
    expect(gpu.node.children.filter(Stack.isStack).map(({ stackName }) => stackName)).toContain('team-Platform');
    expect(app.node.tryGetContext('deployment')).toBeUndefined();
  });

  it('refuses a setting that has another value in the context', () => {
    const synthesis = () => templatesWith({ settings: { deployment: 'team' } }, { deployment: 'other' });
    expect(synthesis).toThrow('`deployment` is "team" in the props and "other" in the context: remove one of them.');
  });

  it("gets the tags and the environment of the team's app", () => {
    const app = newApp();
    const gpu = new GpuEndpoints(app, 'Gpu', { env: { account: '123456789012', region: 'eu-west-1' } });
    Tags.of(app).add('team', 'vision');
    for (const { account, region } of gpu.node.children.filter(Stack.isStack))
      expect([account, region]).toEqual(['123456789012', 'eu-west-1']);
    const storage = JSON.stringify(templatesOf(app)['gpu-endpoints-Storage']);
    for (const tag of [
      { Key: 'gpu-endpoints:deployment', Value: 'gpu-endpoints' },
      { Key: 'team', Value: 'vision' },
    ])
      expect(storage).toContain(JSON.stringify(tag));
  });
});

describe('fromFolder', () => {
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };

  it('reads endpoints, pools and the settings of an environment, and says which environments there are', () => {
    write('endpoints/chat.yaml', 'image: team/chat:1.2\ncapacity: large\ngpus: 1\n');
    write('capacity/large.yaml', 'kind: nvidia\ninstanceTypes: [g6.xlarge]\n');
    write('environments/prod.yaml', "account: '210987654321'\nregion: eu-west-1\ndeployment: prod\n");
    write('environments/prod/endpoints/chat.yaml', 'maxWorkers: 20\n');
    expect(fromFolder(root)).toMatchObject({ endpoints: [{ id: 'chat', maxWorkers: 3 }], settings: {} });
    expect(fromFolder(root, { environment: 'prod' })).toMatchObject({
      endpoints: [{ id: 'chat', capacity: 'large', maxWorkers: 20 }],
      pools: [{ id: 'large' }],
      settings: { deployment: 'prod' },
      env: { account: '210987654321', region: 'eu-west-1' },
    });
    expect(() => fromFolder(root, { environment: 'test' })).toThrow('(prod), got "test"');
  });

  it('throws a sentence for each invalid file', () => {
    write('endpoints/chat.yaml', 'image: team/chat:1.2\nmaxWorkers: 0\n');
    write('templates/one.yaml', 'name: One\n');
    expect(() => fromFolder(root)).toThrow(/chat\.yaml: `maxWorkers` must be|one\.yaml: `imageName`/);
  });
});
