import { describe, expect, it } from '@jest/globals';
import { declare, declarePool, type SynthesizedStack, stackOf, synthesizeWith } from '../synthesis.ts';

const DEPLOYMENT = 'gpu-endpoints:deployment';
const ENDPOINT = 'gpu-endpoints:endpoint';

const stacks = synthesizeWith(
  { webAclRate: 2_000, accessLogDays: 30 },
  [declare('echo'), declare('llm', { capacity: 'nvidia' })],
  [declarePool('nvidia', { warmInstances: 1 })],
);

type Tags = Readonly<Record<string, unknown>>;
interface Tag {
  readonly Key: string;
  readonly Value: unknown;
}

/** The properties in which resources have their tags, as a list or as a mapping. */
const MEMBERS = ['Tags', 'FileSystemTags', 'AccessPointTags'];

const tagsOf = (value: unknown): Tags =>
  Array.isArray(value)
    ? Object.fromEntries((value as readonly Tag[]).map(({ Key, Value }) => [Key, Value]))
    : (value as Tags);

/** Returns the tags of every tagged resource of a stack. */
function taggedIn({ template }: SynthesizedStack): { readonly type: string; readonly tags: Tags }[] {
  const resources: Record<string, { Type: string; Properties?: Tags }> = template.toJSON().Resources;
  return Object.values(resources).flatMap(({ Type, Properties = {} }) =>
    MEMBERS.filter((member) => member in Properties).map((member) => ({
      type: Type,
      tags: tagsOf(Properties[member]),
    })),
  );
}

const all = Object.values(stacks).flatMap(taggedIn);

describe('a deployment', () => {
  it.each([
    'AWS::ApiGateway::Stage',
    'AWS::AutoScaling::AutoScalingGroup',
    'AWS::DynamoDB::Table',
    'AWS::EC2::NatGateway',
    'AWS::ECS::Service',
    'AWS::EFS::FileSystem',
    'AWS::IAM::Role',
    'AWS::KMS::Key',
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SQS::Queue',
    'AWS::StepFunctions::StateMachine',
    'AWS::WAFv2::WebACL',
  ])('tags each resource of type %s with its deployment', (type) => {
    const deployments = all.filter((one) => one.type === type).map(({ tags }) => tags[DEPLOYMENT]);
    const expected = Object.values(stacks).flatMap(({ template }) => Object.keys(template.findResources(type)));
    expect(deployments.length).toBeGreaterThan(0);
    expect(deployments).toEqual(expected.map(() => 'gpu-endpoints'));
  });

  it.each(['echo', 'llm'])('tags every resource of the endpoint %s with that endpoint', (endpoint) => {
    const tagged = taggedIn(stackOf(stacks, `Endpoint-${endpoint}`));
    expect(tagged.map(({ type }) => type)).toContain('AWS::SQS::Queue');
    for (const { tags } of tagged) expect(tags).toMatchObject({ [DEPLOYMENT]: 'gpu-endpoints', [ENDPOINT]: endpoint });
  });

  it('does not tag shared resources with an endpoint', () => {
    for (const name of ['Storage', 'Fleet', 'Platform'])
      expect(taggedIn(stackOf(stacks, name)).filter(({ tags }) => ENDPOINT in tags)).toEqual([]);
  });

  it('tags tasks with the tags of their service and those of ECS', () => {
    for (const endpoint of ['echo', 'llm'])
      stackOf(stacks, `Endpoint-${endpoint}`).template.hasResourceProperties('AWS::ECS::Service', {
        PropagateTags: 'SERVICE',
        EnableECSManagedTags: true,
      });
  });

  it('tags instances and their volumes with the tags of their group', () => {
    const { template } = stackOf(stacks, 'Fleet');
    const [group] = Object.values(template.findResources('AWS::AutoScaling::AutoScalingGroup'));
    expect(group?.Properties.Tags).toContainEqual({ Key: DEPLOYMENT, Value: 'gpu-endpoints', PropagateAtLaunch: true });
    interface Launched {
      readonly TagSpecifications: readonly { readonly ResourceType: string; readonly Tags: readonly Tag[] }[];
    }
    const specifications = Object.values(template.findResources('AWS::EC2::LaunchTemplate')).flatMap(
      ({ Properties }) => (Properties.LaunchTemplateData as Launched).TagSpecifications,
    );
    const marked = specifications.filter(({ Tags: tags }) => tagsOf(tags)[DEPLOYMENT] === 'gpu-endpoints');
    expect(marked.map(({ ResourceType }) => ResourceType)).toEqual(expect.arrayContaining(['instance', 'volume']));
  });

  it('uses tag names that AWS accepts for cost allocation', () => {
    const names = all.flatMap(({ tags }) => Object.keys(tags));
    for (const name of new Set(names)) {
      expect(name).toMatch(/^[\w.:/=+@ -]{1,128}$/);
      expect(name).not.toMatch(/^aws:/i);
    }
  });
});
