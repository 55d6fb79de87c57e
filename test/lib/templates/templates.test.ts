/** Tests templates that are declared in Git: their files, their stack, and the endpoints that name them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { readTemplates, type TemplateDeclaration } from '../../../lib/templates/declaration.ts';
import { declared } from '../../support/declared.ts';
import { createApp, declare, stackOf, synthesize, synthesizeWith, templatesOnly } from '../synthesis.ts';

const root = mkdtempSync(join(tmpdir(), 'templates-'));
beforeEach(() => {
  rmSync(join(root, 'templates'), { recursive: true, force: true });
  mkdirSync(join(root, 'templates'));
});
afterAll(() => rmSync(root, { recursive: true }));

function problemsOf(content: string, file = 'one.yaml'): string[] {
  writeFileSync(join(root, 'templates', file), content);
  try {
    readTemplates(root);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace(`templates/${file}: `, ''));
  }
}

describe('the templates of the examples', () => {
  it('are valid, and an endpoint names one of them', () => {
    expect(readTemplates(declared).map(({ id, name, category }) => [id, name, category])).toEqual([
      ['echo', 'Echo', 'CPU'],
    ]);
    expect(readDeclarations(declared).filter(({ template }) => template === 'echo')).not.toEqual([]);
  });

  it('can have only fields that `endpoints/echo.yaml` also shows', () => {
    const file = readFileSync(join(declared, 'endpoints/echo.yaml'), 'utf8');
    const fields = ['image', 'build', 'containerDiskInGb', 'volumeInGb', 'volumeMountPath', 'env', 'dockerEntrypoint'];
    for (const field of [...fields, 'dockerStartCmd', 'ports', 'containerRegistryAuthId', 'readme', 'owner'])
      expect(file).toMatch(new RegExp(`^(?:# )?${field}:`, 'm'));
  });
});

describe('the file of a template', () => {
  it.each([
    ['name: One\nimageName: team/worker:1'],
    ['name: One\nimageName: team/worker:1\ncategory: AMD\nisServerless: false\nports: [22/tcp]\nenv: { A: b }'],
  ])('can have the fields %j', (content) => {
    expect(problemsOf(content)).toEqual([]);
  });

  it.each([
    ['name: One', '`imageName` must be the name of a container image of at most 255 characters'],
    ['imageName: a\nname: ""', '`name` must be a string of 1 to 191 characters'],
    ['imageName: a\nname: One\ncategory: GPU', '`category` must be one of NVIDIA, AMD, CPU, got "GPU"'],
    ['imageName: a\nname: One\nisPublic: true', '`isPublic` is not a field; the fields are name, imageName'],
    ['imageName: a\nname: One\nbuild: nowhere', '`build` must be a folder of this repository that has a Dockerfile'],
  ])('is refused for %j', (content, problem) => {
    expect(problemsOf(content)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['One.yaml', 'endpoint-one.yaml', 'a_b.yaml', 'new.yaml'])('cannot have the name %s', (file) => {
    expect(problemsOf('name: One\nimageName: a', file)).toEqual([
      expect.stringContaining('the file name must be a template id: at most 128 lower-case letters'),
    ]);
  });
});

const echo: TemplateDeclaration = { id: 'echo', name: 'The Echo', imageName: 'team/echo:1', env: { A: 'b' } };
const other: TemplateDeclaration = { id: 'other', name: 'Other', imageName: 'gpu/other', build: 'examples/echo' };
const byId = declare('by-id', { image: undefined, template: 'echo' });
const endpoints = [
  declare('carrying'),
  byId,
  declare('by-name', { image: undefined, template: 'THE ECHO' }),
  declare('of-api', { image: undefined, template: 'theirs', pinTemplate: 3, owner: 'team-a' }),
];
const stacks = synthesizeWith({}, endpoints, [], [echo, other]);

const assembly = createApp(mkdtempSync(join(root, 'app-')), endpoints, templatesOnly, [], [echo]).synth();
/** Returns the ids of the stacks that are deployed before this stack. */
const dependenciesOf = (name: string) => assembly.getStackArtifact(name).dependencies.map(({ id }) => id);

describe('the stack of the templates', () => {
  const { template, images } = stackOf(stacks, 'Templates');
  const declared = Object.values(template.findResources('Custom::Template')).map(({ Properties }) => Properties);

  it('contains each template, with the defaults of the management interface', () => {
    expect(declared).toEqual([
      {
        ServiceToken: expect.anything(),
        ServiceTimeout: '270',
        id: 'echo',
        settings: {
          name: 'The Echo',
          imageName: 'team/echo:1',
          category: 'NVIDIA',
          containerDiskInGb: 50,
          volumeInGb: 20,
          volumeMountPath: '/workspace',
          dockerEntrypoint: [],
          dockerStartCmd: [],
          env: { A: 'b' },
          ports: [],
          readme: '',
          isServerless: true,
        },
      },
      expect.objectContaining({ id: 'other' }),
    ]);
  });

  it('builds the images that the templates name', () => {
    expect(Object.keys(images)).toEqual(['gpu/other']);
    expect(JSON.stringify(declared[1]?.settings.imageName)).toMatch(/dkr\.ecr\..*:[0-9a-f]{64}/);
  });

  it('is absent without a template', () => {
    expect(Object.keys(synthesize(declare('echo')))).not.toContain('Templates');
  });

  it('is the only stack that an added template changes, and does not change for endpoints that name a template', () => {
    const fewer = synthesizeWith({}, [byId], [], [echo]);
    const changed = Object.keys(fewer).filter((name) => stackOf(fewer, name).text !== stackOf(stacks, name).text);
    expect(changed).toEqual(['Templates']);
    const without = synthesizeWith({}, [declare('carrying')], [], [echo, other]);
    for (const [name, { text }] of Object.entries(without)) expect(stackOf(stacks, name).text).toBe(text);
  });
});

describe('the setting `declared`', () => {
  const variablesWith = (settings: object) =>
    Object.entries(
      stackOf(synthesizeWith(settings, [byId], []), 'Management').template.findResources('AWS::Lambda::Function'),
    )
      .filter(([, { Properties }]) => Properties.Environment?.Variables?.DECLARED !== undefined)
      .map(([id, { Properties }]) => [id.replace(/[0-9A-F]{8}$/, ''), Properties.Environment.Variables.DECLARED]);

  it('locks declared fields in the functions that change templates, and only there', () => {
    expect(variablesWith({ declared: 'locked' })).toEqual([
      ['ManagementRollback', 'locked'],
      ['ManagementTemplatesUpdate', 'locked'],
    ]);
    expect(variablesWith({ declared: 'unlocked' })).toEqual([]);
    expect(variablesWith({})).toEqual([]);
  });

  it('has only two values', () => {
    expect(() => variablesWith({ declared: 'true' })).toThrow(
      'The context `declared` must be locked or unlocked, got "true".',
    );
  });
});

describe('an endpoint that contains a template', () => {
  const resourceOf = (changes: object) => {
    const { template } = stackOf(synthesizeWith({}, [declare('carrying', changes)]), 'Endpoint-carrying');
    return Object.values(template.findResources('Custom::EndpointTemplate'))[0]?.Properties;
  };

  it('calls the function in each deployment that changes its file, so that drift is taken back', () => {
    const before = resourceOf({});
    expect(resourceOf({})).toEqual(before);
    const after = resourceOf({ maxWorkers: 7 });
    expect(after).toMatchObject({ carried: before?.carried });
    expect(after).not.toEqual(before);
  });

  it('has an output with the fields that a deployment takes back', () => {
    const outputs = (id: string) => stackOf(stacks, `Endpoint-${id}`).template.findOutputs('TakenBack');
    expect(outputs('carrying')).toMatchObject({
      TakenBack: { Value: { 'Fn::GetAtt': [expect.anything(), 'takenBack'] } },
    });
    expect(outputs('by-id')).toEqual({});
  });
});

describe('an endpoint', () => {
  const askedBy = (id: string) =>
    Object.values(stackOf(stacks, `Endpoint-${id}`).template.findResources('Custom::EndpointTemplate'))[0]?.Properties;

  it.each(['by-id', 'by-name'])(
    '%s names a template in Git by its id, and is deployed after the stack of the templates',
    (id) => {
      expect(askedBy(id)).toMatchObject({ endpoint: id, named: 'echo' });
      expect(askedBy(id)).not.toHaveProperty('carried');
      expect(dependenciesOf(`Endpoint-${id}`)).toContain('Templates');
    },
  );

  it('imports nothing from the stack of the templates, so that either can be removed first', () => {
    expect(Object.keys(stackOf(stacks, 'Templates').template.findOutputs('*'))).toEqual([]);
    for (const { id } of endpoints) expect(stackOf(stacks, `Endpoint-${id}`).text).not.toContain('Templates:');
    expect(dependenciesOf('Endpoint-of-api')).not.toContain('Templates');
  });

  it('that names a template outside Git passes the name and its owner to its custom resource', () => {
    expect(askedBy('of-api')).toMatchObject({
      named: 'theirs',
      pinTemplate: 3,
      owner: 'team-a',
      category: 'CPU',
      largestDiskInGb: 200,
    });
  });

  it('that pins a version passes it to every custom resource that registers or releases a revision', () => {
    const { template } = stackOf(stacks, 'Endpoint-of-api');
    for (const type of ['FirstRevision', 'Endpoint', 'Release'])
      expect(Object.values(template.findResources(`Custom::${type}`))).toEqual([
        expect.objectContaining({ Properties: expect.objectContaining({ pinTemplate: 3 }) }),
      ]);
    expect(Object.values(template.findResources('Custom::FirstRevision'))[0]?.Properties).toMatchObject({
      owner: 'team-a',
    });
  });

  it('that contains a template has the defaults of the management interface', () => {
    expect(askedBy('carrying')).toMatchObject({
      carried: { imageName: 'team/worker:1.2', containerDiskInGb: 50, volumeInGb: 20, volumeMountPath: '/workspace' },
    });
  });
});
