import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { declare, declarePool, stackOf, synthesizeWith } from '../../../test/lib/synthesis.ts';
import { countTypes, makeRehearsable, rehearsable } from './assembly.ts';
import { isMap, type Template } from './template.ts';

/** Settings that together add every optional resource. */
const settings = { accessLogDays: 30, webAclRate: 1000 };
const endpoints = [declare('echo'), declare('gpu', { capacity: 'pool', gpus: 1 })];
const stacks = synthesizeWith(settings, endpoints, [declarePool('pool', { warmInstances: 1 })]);
const templates = Object.values(stacks).map(({ text }) => JSON.parse(text) as Template);
const rehearsed = templates.map((template) => rehearsable(template));

/** Returns the logical ids in all `Ref` and `Fn::GetAtt` below the value. */
function referred(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referred);
  if (!isMap(value)) return [];
  const { Ref: id, 'Fn::GetAtt': attribute } = value;
  const own = [id, Array.isArray(attribute) ? attribute[0] : undefined].filter((name) => typeof name === 'string');
  return [...own, ...Object.values(value).flatMap(referred)];
}

/** Returns the properties of all resources of the type as JSON. */
const textOf = (type: string, those = rehearsed) =>
  JSON.stringify(
    those.flatMap(({ template }) =>
      Object.values(template.Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : [])),
    ),
  );

describe('the rehearsed stacks', () => {
  it('lack the resources that the emulator refuses', () => {
    const types = rehearsed.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type));
    expect(types).toContain('AWS::EC2::Route');
    for (const type of ['AWS::EC2::NatGateway', 'AWS::ECS::CapacityProvider', 'AWS::WAFv2::WebACLAssociation'])
      expect(types).not.toContain(type);
    expect(textOf('AWS::CloudWatch::Alarm')).not.toContain('"Metrics"');
  });

  it('refer to no omitted resource', () => {
    for (const { template } of rehearsed) {
      const known = [...Object.keys(template.Resources), ...Object.keys(template.Parameters ?? {})];
      const unknown = referred(template).filter((id) => !known.includes(id) && !id.startsWith('AWS::'));
      expect(unknown).toEqual([]);
    }
  });

  it('have counts of the omitted and the kept resources of each type', () => {
    const counts = countTypes(templates);
    expect(counts.get('AWS::EC2::NatGateway')).toEqual({ made: 0, leftOut: 1 });
    // Metric math: failures of webhooks, of the jobs of each of three endpoints. One belongs to each of two routes to
    // the load balancer.
    expect(counts.get('AWS::CloudWatch::Alarm')).toMatchObject({ leftOut: 6 });
    expect(counts.get('AWS::DynamoDB::Table')).toMatchObject({ leftOut: 0 });
    const all = [...counts.values()].reduce((sum, { made, leftOut }) => sum + made + leftOut, 0);
    expect(all).toBe(templates.flatMap(({ Resources }) => Object.keys(Resources)).length);
  });

  it('name the volumes of task definitions as ECS does', () => {
    const volumes = textOf('AWS::ECS::TaskDefinition');
    expect(volumes).toContain('"efsVolumeConfiguration":{"authorizationConfig":{"accessPointId":{');
    expect(volumes).toContain('"iam":"ENABLED"');
    expect(volumes).not.toContain('EFSVolumeConfiguration');
  });

  it('give functions the attributes of other resources as strings', () => {
    // Functions whose calls wait have such a variable.
    const { template } = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');
    const waiting = rehearsable(template.toJSON() as Template);
    expect(textOf('AWS::Lambda::Function', [waiting])).toContain('"WAITS":{"Fn::Join":["",[{"Fn::GetAtt":[');
  });

  it('invoke streaming functions like all other functions', () => {
    expect(textOf('AWS::ApiGateway::Method')).toContain('/invocations');
    expect(textOf('AWS::ApiGateway::Method')).not.toContain('response-streaming-invocations');
  });

  it('read no public parameter of AWS', () => {
    const parameters = JSON.stringify(rehearsed.map(({ template }) => template.Parameters));
    expect(parameters).toContain('"/cdk-bootstrap/');
    expect(parameters).not.toContain('/aws/service/');
  });
});

describe('a type without a rule', () => {
  it('stops the rehearsal with an error that names the file for the rule', () => {
    const template = { Resources: { Phone: { Type: 'AWS::Connect::PhoneNumber' } } };
    expect(() => rehearsable(template)).toThrow(
      'packages/lab/rehearsal/types.ts has no rule for AWS::Connect::PhoneNumber: add whether the emulator takes it, and what stays unproven.',
    );
  });
});

describe('an assembly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  const write = (name: string, content: unknown) => writeFileSync(join(folder, name), JSON.stringify(content));
  mkdirSync(folder, { recursive: true });
  write('manifest.json', {
    artifacts: {
      'Fleet.assets': { type: 'cdk:asset-manifest', properties: { file: 'Fleet.assets.json' } },
      Fleet: {
        type: 'aws:cloudformation:stack',
        dependencies: ['Fleet.assets', 'Storage'],
        properties: { templateFile: 'Fleet.template.json', stackName: 'team-Fleet', terminationProtection: true },
      },
      Storage: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Storage.template.json' } },
    },
  });
  write('Fleet.assets.json', { files: { code: {} }, dockerImages: { agent: {}, worker: {} } });
  write('Fleet.template.json', {
    Resources: {
      Nat: { Type: 'AWS::EC2::NatGateway' },
      Route: { Type: 'AWS::EC2::Route', Properties: { NatGatewayId: { Ref: 'Nat' } } },
    },
  });
  write('Storage.template.json', { Resources: { Table: { Type: 'AWS::DynamoDB::Table' } } });
  const its = makeRehearsable(folder);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;

  it('lists the stacks with their CloudFormation names, their termination protection and their dependencies', () => {
    expect(its.stacks).toMatchObject([
      { id: 'Fleet', name: 'team-Fleet', isProtected: true, dependencies: ['Storage'] },
      { id: 'Storage', name: 'Storage', isProtected: false, dependencies: [] },
    ]);
  });

  it('is written without the omitted resources and container images', () => {
    expect(read('Fleet.template.json')).toMatchObject({
      Resources: { Route: { Properties: { NatGatewayId: 'left-out-Nat' } } },
    });
    expect(read('Fleet.template.json')).not.toHaveProperty('Resources.Nat');
    expect(read('Fleet.assets.json')).toEqual({ files: { code: {} }, dockerImages: {} });
  });

  it('lists the references to omitted resources, and counts the images that are not built', () => {
    expect(its.references).toEqual(['Fleet: Resources.Route.Properties.NatGatewayId']);
    expect(its.images).toBe(2);
  });
});
