/** What the template of an endpoint says of its service, and what it leaves to the running service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Tags } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { IConstruct } from 'constructs';
import type { EndpointDeclaration } from '../../lib/endpoint-declaration.ts';
import { permissionsOf, roleNamed } from './permissions.ts';
import { createApp, declare } from './synthesis.ts';

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: readonly string[];
}

/** The templates of an endpoint and of the platform, with what `change` does to the app. */
function templatesOf(declaration: EndpointDeclaration, change: (app: IConstruct) => void = () => undefined) {
  const outdir = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const app = createApp(outdir, [declaration]);
    change(app);
    const assembly = app.synth();
    const templateOf = (stack: string) => assembly.getStackByName(stack).template;
    return {
      Resources: templateOf(`Endpoint-${declaration.id}`).Resources as Record<string, Resource>,
      platform: Template.fromJSON(templateOf('Platform')),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The one resource of the type, with its logical id. */
function only(resources: Readonly<Record<string, Resource>>, type: string): Resource & { readonly id: string } {
  const [found, ...others] = Object.entries(resources).filter(([, { Type }]) => Type === type);
  if (!found || others.length > 0) throw new Error(`There is not one ${type}.`);
  return { id: found[0], ...found[1] };
}

const before = templatesOf(declare('echo'));
const service = only(before.Resources, 'AWS::ECS::Service');
const blueprint = only(before.Resources, 'AWS::ECS::TaskDefinition');
const template = only(before.Resources, 'Custom::EndpointTemplate');
const first = only(before.Resources, 'Custom::FirstRevision');
const count = only(before.Resources, 'Custom::LiveCount');
const release = only(before.Resources, 'Custom::Release');
const registration = only(before.Resources, 'Custom::Endpoint');

describe('the service of an endpoint', () => {
  it('names a family that no deployment registers into, and no revision', () => {
    expect(service.Properties.TaskDefinition).toBe('Endpoint-echo');
    expect(blueprint.Properties.Family).not.toBe('Endpoint-echo');
    expect(registration.Properties).toMatchObject({ family: 'Endpoint-echo', blueprint: { Ref: blueprint.id } });
  });

  it('comes after the first revision of the family', () => {
    expect(first.Properties).toMatchObject({
      endpoint: 'echo',
      family: 'Endpoint-echo',
      blueprint: { Ref: blueprint.id },
      template: { 'Fn::GetAtt': [template.id, 'template'] },
    });
    expect(service.DependsOn).toContain(first.id);
  });

  it('has as many workers as it has', () => {
    expect(service.Properties.DesiredCount).toEqual({ 'Fn::GetAtt': [count.id, 'count'] });
  });

  it('is brought to its revision when the endpoint is registered, and after it was changed itself', () => {
    expect(release.Properties).toMatchObject({ endpoint: 'echo', blueprint: { Ref: blueprint.id }, minWorkers: 0 });
    expect(release.DependsOn).toContain(registration.id);
    expect(registration.DependsOn).toContain(service.id);
  });
});

describe('a deployment', () => {
  it('that changes what workers are made of changes the blueprint, and nothing of the service', () => {
    const { Resources } = templatesOf(declare('echo', { cpu: 2048, memory: 4096, concurrency: 2 }));
    expect(only(Resources, 'AWS::ECS::TaskDefinition').Properties).not.toEqual(blueprint.Properties);
    expect(only(Resources, 'AWS::ECS::Service')).toEqual(service);
    expect(only(Resources, 'Custom::LiveCount')).toEqual(count);
  });

  it('that changes what the file says of the template changes nothing else', () => {
    const env = { MODE: 'fast' };
    const { Resources } = templatesOf(declare('echo', { image: 'team/worker:2', env, containerDiskInGb: 60 }));
    const { id, ...changed } = only(Resources, 'Custom::EndpointTemplate');
    expect(changed.Properties.carried).toMatchObject({ imageName: 'team/worker:2', env, containerDiskInGb: 60 });
    expect({ ...Resources, [id]: undefined }).toEqual({ ...before.Resources, [id]: undefined });
  });

  it('that changes the number of workers changes nothing of the service, but asks for a release', () => {
    const { Resources } = templatesOf(declare('echo', { minWorkers: 2 }));
    expect(only(Resources, 'AWS::ECS::Service')).toEqual(service);
    expect(only(Resources, 'Custom::Release').Properties).toMatchObject({ minWorkers: 2 });
  });

  it('that changes the service asks for the live count before', () => {
    const { Resources } = templatesOf(declare('echo'), (app) => Tags.of(app).add('team', 'a'));
    expect(only(Resources, 'AWS::ECS::Service').Properties).not.toEqual(service.Properties);
    expect(only(Resources, 'Custom::LiveCount').Properties).not.toEqual(count.Properties);
  });

  it('asks for the live count whatever property of the service it changes', () => {
    const names = (properties: object) => Object.keys(properties).map((name) => name.toLowerCase());
    const own = names(service.Properties).filter((name) => name !== 'desiredcount');
    expect(new Set(names(count.Properties.service as object))).toEqual(new Set(own));
  });
});

describe('releases', () => {
  const { platform } = before;

  it.each(['ReleasesFirstRole', 'ReleasesReleaseRole'])(
    'by %s pass the roles of workers alone, to tasks alone',
    (name) => {
      const passing = permissionsOf(platform, roleNamed(platform, name)).filter(({ actions }) =>
        actions.includes('iam:PassRole'),
      );
      expect(passing).toEqual([
        {
          on: expect.stringMatching(/:role\/gpu-endpoints\/.*AWS::Region.*\/\*/),
          actions: ['iam:PassRole'],
          condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
        },
      ]);
      const paths = Object.values(before.Resources).flatMap(({ Type, Properties }) =>
        Type === 'AWS::IAM::Role' ? [JSON.stringify(Properties.Path)] : [],
      );
      expect(paths).toHaveLength(2);
      for (const path of paths) expect(path).toContain('/gpu-endpoints/');
    },
  );
});
