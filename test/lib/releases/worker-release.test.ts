/**
 * Tests which properties of its service an endpoint's CloudFormation template sets, and which it does not change.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Tags } from 'aws-cdk-lib';
import type { EndpointDeclaration } from '../../../lib/endpoints/declaration.ts';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { createApp, declare, stackOf, synthesize, templatesOnly } from '../synthesis.ts';

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: readonly string[];
}

type Resources = Readonly<Record<string, Resource>>;

const resourcesIn = (template: object) => (template as { Resources: Resources }).Resources;

const resourcesFor = (differences: Partial<EndpointDeclaration>) =>
  resourcesIn(stackOf(synthesize(declare('echo', differences)), 'Endpoint-echo').template.toJSON());

/** Returns the resources of the same endpoint, all with one more tag. */
function taggedResources(): Resources {
  const app = createApp(mkdtempSync(join(tmpdir(), 'release-')), [declare('echo')], templatesOnly);
  Tags.of(app).add('team', 'a');
  return resourcesIn(app.synth().getStackArtifact('Endpoint-echo').template);
}

/** Returns the only resource of the type, with its logical id. */
function only(resources: Resources, type: string): Resource & { readonly id: string } {
  const [found, ...others] = Object.entries(resources).filter(([, { Type }]) => Type === type);
  if (!found || others.length > 0) throw new Error(`The template must have exactly one ${type}.`);
  return { id: found[0], ...found[1] };
}

const before = resourcesFor({});
const service = only(before, 'AWS::ECS::Service');
const blueprint = only(before, 'AWS::ECS::TaskDefinition');
const template = only(before, 'Custom::EndpointTemplate');
const first = only(before, 'Custom::FirstRevision');
const count = only(before, 'Custom::LiveCount');
const release = only(before, 'Custom::Release');
const registration = only(before, 'Custom::Endpoint');

describe('the service of an endpoint', () => {
  it('names a family without a revision, and CloudFormation registers no task definition in that family', () => {
    expect(service.Properties.TaskDefinition).toBe('gpu-endpoints-Endpoint-echo');
    expect(blueprint.Properties.Family).not.toBe('gpu-endpoints-Endpoint-echo');
    expect(registration.Properties).toMatchObject({
      family: 'gpu-endpoints-Endpoint-echo',
      blueprint: { Ref: blueprint.id },
    });
  });

  it('is created after the first revision of the family', () => {
    expect(first.Properties).toMatchObject({
      endpoint: 'echo',
      family: 'gpu-endpoints-Endpoint-echo',
      blueprint: { Ref: blueprint.id },
      template: { 'Fn::GetAtt': [template.id, 'template'] },
    });
    expect(service.DependsOn).toContain(first.id);
  });

  it('keeps its number of workers in a deployment', () => {
    expect(service.Properties.DesiredCount).toEqual({ 'Fn::GetAtt': [count.id, 'count'] });
  });

  it('gets its revision when the endpoint is registered, and after a change of the service', () => {
    expect(release.Properties).toMatchObject({ endpoint: 'echo', blueprint: { Ref: blueprint.id }, minWorkers: 0 });
    expect(release.DependsOn).toContain(registration.id);
    expect(registration.DependsOn).toContain(service.id);
  });
});

describe('a deployment', () => {
  it('that changes the containers of workers changes the blueprint, but not the service', () => {
    const after = resourcesFor({ cpu: 2048, memory: 4096, concurrency: 2 });
    expect(only(after, 'AWS::ECS::TaskDefinition').Properties).not.toEqual(blueprint.Properties);
    expect(only(after, 'AWS::ECS::Service')).toEqual(service);
    expect(only(after, 'Custom::LiveCount')).toEqual(count);
  });

  it('that changes template fields of the file changes only the custom resource of the template', () => {
    const env = { MODE: 'fast' };
    const after = resourcesFor({ image: 'team/worker:2', env, containerDiskInGb: 60 });
    const { id, ...changed } = only(after, 'Custom::EndpointTemplate');
    expect(changed.Properties.carried).toMatchObject({ imageName: 'team/worker:2', env, containerDiskInGb: 60 });
    expect({ ...after, [id]: undefined }).toEqual({ ...before, [id]: undefined });
  });

  it('that changes the number of workers does not change the service, but calls the release function', () => {
    const after = resourcesFor({ minWorkers: 2 });
    expect(only(after, 'AWS::ECS::Service')).toEqual(service);
    expect(only(after, 'Custom::Release').Properties).toMatchObject({ minWorkers: 2 });
  });

  it('that changes the service first reads the live count', () => {
    const after = taggedResources();
    expect(only(after, 'AWS::ECS::Service').Properties).not.toEqual(service.Properties);
    expect(only(after, 'Custom::LiveCount').Properties).not.toEqual(count.Properties);
  });

  it('reads the live count if any property of the service changes', () => {
    const names = (properties: object) => Object.keys(properties).map((name) => name.toLowerCase());
    const own = names(service.Properties).filter((name) => name !== 'desiredcount');
    expect(new Set(names(count.Properties.service as object))).toEqual(new Set(own));
  });
});

describe('releases', () => {
  const { template: platform } = stackOf(synthesize(declare('echo')), 'Platform');

  it.each(['ReleasesFirstRole', 'ReleasesReleaseRole'])(
    'by %s can pass only the roles of workers, and only to tasks',
    (name) => {
      const passing = permissionsOf(platform, roleNamed(platform, name)).filter(({ actions }) =>
        actions.includes('iam:PassRole'),
      );
      expect(passing).toEqual([
        {
          on: expect.stringMatching(/:role\/gpu-endpoints\/.*AWS::Region.*\/workers\/\*/),
          actions: ['iam:PassRole'],
          condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
        },
      ]);
      const paths = Object.values(before).flatMap(({ Type, Properties }) =>
        Type === 'AWS::IAM::Role' ? [JSON.stringify(Properties.Path)] : [],
      );
      expect(paths).toHaveLength(2);
      for (const path of paths) expect(path).toMatch(/\/gpu-endpoints\/.*AWS::Region.*\/workers\//);
    },
  );
});
