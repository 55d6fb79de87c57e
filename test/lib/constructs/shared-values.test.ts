/** Tests the values that stacks share, and how a change of a value affects deployed stacks. */
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SharedList, SharedValue } from '../../../lib/constructs/shared-value.ts';
import { exportedFunctions, storedValues, withData, withOneName } from '../recorded-names.ts';
import { declare, declarePool, type SynthesizedStack, synthesizeWith } from '../synthesis.ts';

const stacks = synthesizeWith(
  {},
  [declare('echo'), declare('gpu', { capacity: 'nvidia' })],
  [declarePool('nvidia')],
  [{ id: 'official', name: 'Official', imageName: 'team/official:1' }],
);

interface Content {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: { Name?: string } }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Type: string; readonly Default?: string }>>;
  readonly Outputs?: Readonly<Record<string, { readonly Export?: { readonly Name: string } }>>;
}

const sorted = (texts: readonly string[]) => texts.toSorted((one, other) => (one < other ? -1 : 1));

const contentOf = ({ template }: SynthesizedStack) => template.toJSON() as Content;
const contents = Object.entries(stacks).map(([stack, synthesized]) => ({ stack, ...contentOf(synthesized) }));

const stored = contents.flatMap(({ Resources }) =>
  Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::SSM::Parameter' ? [String(Properties?.Name)] : [],
  ),
);

/** Types of resources that contain data. If a logical id changes, CloudFormation creates an empty resource instead. */
const HOLDING_DATA = [
  'DynamoDB::Table',
  'S3::Bucket',
  'SQS::Queue',
  'KMS::Key',
  'EFS::FileSystem',
  'Cognito::UserPool',
].map((type) => `AWS::${type}`);

const WITH_ONE_NAME = [
  'ApiGateway::ApiKey',
  'ApiGateway::RestApi',
  'ApiGateway::UsagePlan',
  'CloudFront::Function',
  'CloudFront::OriginAccessControl',
  'CloudFront::ResponseHeadersPolicy',
  'CloudFront::VpcOrigin',
  'Cognito::UserPoolDomain',
  'SSM::Parameter',
].map((type) => `AWS::${type}`);

describe('each value that stacks share', () => {
  it('is in Parameter Store under a fixed name', () => {
    expect(sorted(stored)).toEqual(sorted(storedValues.map((name) => `/gpu-endpoints/${name}`)));
  });

  it('is read by its fixed name; all other parameters that stacks read are from AWS', () => {
    const read = contents.flatMap(({ Parameters = {} }) => Object.values(Parameters));
    for (const { Type } of read) expect(Type).toMatch(/^AWS::SSM::Parameter::Value</);
    const names = new Set(
      read.map(({ Default = '' }) => Default).filter((name) => !name.startsWith('/gpu-endpoints/')),
    );
    expect(sorted([...names])).toEqual([
      '/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended/image_id',
      '/cdk-bootstrap/hnb659fds/version',
    ]);
    const named = read.map(({ Default = '' }) => Default).filter((name) => name.startsWith('/gpu-endpoints/'));
    expect(stored).toEqual(expect.arrayContaining(named));
  });

  it('is imported only if it is the function of a custom resource, whose deletion calls the function', () => {
    const exported = contents.flatMap(({ Outputs = {} }) =>
      Object.values(Outputs).flatMap(({ Export }) => (Export ? [Export.Name] : [])),
    );
    expect(sorted(exported)).toEqual(exportedFunctions);
    const imports = (value: unknown, path: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      if ('Fn::ImportValue' in value) return [path];
      return Object.entries(value).flatMap(([name, member]) => imports(member, name));
    };
    const places = contents.flatMap(({ Resources }) => imports(Resources, ''));
    expect(places.length).toBeGreaterThan(0);
    expect(new Set(places)).toEqual(new Set(['ServiceToken']));
  });
});

describe('the app', () => {
  const idsOf = (types: readonly string[]) =>
    Object.fromEntries(
      contents.flatMap(({ stack, Resources }) => {
        const found = Object.keys(Resources).filter((id) => types.includes(Resources[id]?.Type ?? ''));
        return found.length > 0 ? [[stack, sorted(found)] as const] : [];
      }),
    );

  it.each([
    ['all resources with data', HOLDING_DATA, withData],
    ['all resources with unique names', WITH_ONE_NAME, withOneName],
  ])('keeps the logical ids of %s', (_, types, recorded) => {
    const { 'Endpoint-gpu': another, ...others } = idsOf(types);
    expect(others).toEqual(recorded);
    expect(another).toEqual(recorded['Endpoint-echo']);
  });
});

describe('a shared value', () => {
  /** Creates two stacks. The second stack reads a value of the first stack's resource with the logical id. */
  const templates = (logicalId: string) => {
    const app = new App();
    const first = new Stack(app, 'First');
    const second = new Stack(app, 'Second');
    const ref = `\${Token}-${logicalId}`;
    const value = new SharedValue(first, 'Thing', ref);
    const list = new SharedList(first, 'Things', [ref, 'other']);
    const of = (stack: Stack) => stack.resolve([value.in(stack), list.in(stack)]);
    const read = { first: of(first), second: [of(second), of(second)] };
    return { read, second, first: Template.fromStack(first), template: Template.fromStack(second) };
  };

  it('is the value itself in its own stack, and a parameter in other stacks, which are deployed later', () => {
    const { read, first, second, template } = templates('A');
    expect(read.first).toEqual([`\${Token}-A`, [`\${Token}-A`, 'other']]);
    expect(read.second).toEqual(Array(2).fill([{ Ref: 'FirstThing' }, { Ref: 'FirstThings' }]));
    expect(second.dependencies.map(({ node }) => node.id)).toEqual(['First']);
    first.hasResourceProperties('AWS::SSM::Parameter', { Name: '/gpu-endpoints/First/Thing', Type: 'String' });
    first.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gpu-endpoints/First/Things',
      Type: 'StringList',
      Value: `\${Token}-A,other`,
    });
    template.hasParameter('FirstThing', {
      Type: 'AWS::SSM::Parameter::Value<String>',
      Default: '/gpu-endpoints/First/Thing',
    });
    template.hasParameter('FirstThings', { Type: 'AWS::SSM::Parameter::Value<List<String>>' });
  });

  it('does not change other templates when it changes', () => {
    expect(templates('B').template.toJSON()).toEqual(templates('A').template.toJSON());
  });
});
