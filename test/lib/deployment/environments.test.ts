/** Tests the settings of environments: their files, the selection of one, and its stacks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { RootConstruct } from 'constructs';
import { addStacks } from '../../../lib/deployment/deployment.ts';
import { chosenEnvironment, readEnvironments } from '../../../lib/deployment/environments.ts';
import { declared } from '../../support/declared.ts';
import { declare, declarePool, stackOf, synthesizeWith, templatesOnly } from '../synthesis.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-environments-'));
const folder = join(root, 'environments');
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.yaml`), text);
const place = 'account: "123456789012"\nregion: eu-west-1\n';
const topic = 'arn:aws:sns:eu-west-1:123456789012:on-call';

function chosen(context: Readonly<Record<string, unknown>>) {
  const given = new RootConstruct();
  for (const [name, value] of Object.entries(context)) given.node.setContext(name, value);
  return chosenEnvironment(given, root);
}

describe('the folder of an environment', () => {
  it.each([
    ['prd/endpoints', 'environments/prd/: there is no environments/prd.yaml, so nothing uses this folder'],
    ['prod/endpoint', 'environments/prod/endpoint: the folder of an environment can only contain `endpoints/`'],
    ['prod/templates', 'environments/prod/templates: the folder of an environment can only contain `endpoints/`'],
  ])('is refused as %s, because nothing would read it', (path, message) => {
    write('prod', place);
    mkdirSync(join(folder, path), { recursive: true });
    expect(() => readEnvironments(root)).toThrow(message);
  });

  it('is the one with the name of the file that is used', () => {
    write('prod', place);
    mkdirSync(join(folder, 'prod/endpoints'), { recursive: true });
    expect(chosen({ environment: 'prod' }).name).toBe('prod');
    expect(chosen({}).name).toBeUndefined();
  });
});

describe('the file of an environment', () => {
  it('has an account, a Region and the settings of the context', () => {
    write(
      'prod',
      `${place}deployment: prod\nwaits: 250\nnetwork: {availabilityZones: [eu-west-1a]}\nalarms: ${topic}\n`,
    );
    expect(readEnvironments(root)).toEqual([
      {
        id: 'prod',
        account: '123456789012',
        region: 'eu-west-1',
        deployment: 'prod',
        waits: 250,
        network: { availabilityZones: ['eu-west-1a'] },
        alarms: topic,
      },
    ]);
  });

  it.each([
    ['waits: -1', 'environments/prod.yaml: `waits` is -1; it must be a whole number from 1 to 100000.'],
    ['deployment: Prod', 'environments/prod.yaml: `deployment` must be 1 to 32 characters of a-z'],
    [
      'network: {vpcId: a}',
      'environments/prod.yaml: `network.vpcId` must be the id of a VPC, such as vpc-0123456789abcdef0, got "a"',
    ],
    ['alarms: on-call', 'environments/prod.yaml: `alarms` must be the ARN of an SNS topic'],
    ['images: {registry: a}', 'environments/prod.yaml: `images.registry` must be the address of a registry'],
    ['corsOrigin:', 'environments/prod.yaml: `corsOrigin` must have a value, got null'],
    [
      'account: "12"\nregion: eu-west-1',
      'environments/prod.yaml: `account` must be the 12 digits of an account in quotes',
    ],
    ['region: eu-west-1', 'environments/prod.yaml: `account` must be the 12 digits'],
    [
      'account: "123456789012"',
      'environments/prod.yaml: `region` must be a Region, such as eu-west-1, together with `account`',
    ],
    ['size: 3', 'environments/prod.yaml: `size` is not a field; the fields are account, region, accessLogDays,'],
    [
      `${place}alarms: arn:aws:sns:us-east-1:123456789012:on-call`,
      'environments/prod.yaml: `alarms` must be a topic of the Region eu-west-1, got "arn:aws:sns:us-east-1:',
    ],
  ])('is refused with file, field, value and allowed values: %s', (text, sentence) => {
    write('prod', text);
    expect(() => readEnvironments(root)).toThrow(sentence);
  });

  it('has a name of at most 32 characters, including hyphens', () => {
    const longest = `e${'-e'.repeat(15)}e`;
    write(longest, 'waits: 5');
    expect(readEnvironments(root).map(({ id }) => id)).toEqual([longest]);
    for (const name of [`${longest}e`, `${longest}-e`, `e${'-e'.repeat(31)}`]) {
      write(name, 'waits: 5');
      expect(() => readEnvironments(root)).toThrow(
        `environments/${name}.yaml: the file name must be 1 to 32 characters`,
      );
      rmSync(join(folder, `${name}.yaml`));
    }
  });

  it('is checked even if another environment is selected', () => {
    write('prod', 'waits: 0');
    write('test', 'waits: 5');
    expect(() => chosen({ environment: 'test' })).toThrow('environments/prod.yaml: `waits` is 0');
  });

  it('of the example is valid', () => {
    expect(readEnvironments(declared).map(({ id }) => id)).toContain('example');
  });
});

describe('the context `environment`', () => {
  it('selects the settings, the account and the Region of a file', () => {
    write('prod', `${place}waits: 250\n`);
    expect(chosen({ environment: 'prod' })).toEqual({
      name: 'prod',
      settings: { waits: 250 },
      env: { account: '123456789012', region: 'eu-west-1' },
    });
  });

  it.each([{}, { environment: '' }])('selects `default`, if it exists and no environment is named: %j', (context) => {
    write('prod', 'waits: 250');
    expect(chosen(context)).toEqual({ settings: {} });
    write('default', 'waits: 100');
    expect(chosen(context)).toEqual({ name: 'default', settings: { waits: 100 } });
    expect(chosen({ environment: 'prod' })).toEqual({ name: 'prod', settings: { waits: 250 } });
  });

  it('omits account and Region if the context `environment:without-place` is true', () => {
    write('prod', `${place}waits: 250\n`);
    expect(chosen({ environment: 'prod', 'environment:without-place': true })).toEqual({
      name: 'prod',
      settings: { waits: 250 },
    });
  });

  it('is refused with a list of the environments if it names none of them', () => {
    for (const name of ['prod', 'test']) write(name, 'waits: 5');
    expect(() => chosen({ environment: 'live' })).toThrow(
      'The context `environment` must be the name of a file in environments/ (prod, test), got "live".',
    );
  });

  it.each([
    ['waits: 250', { waits: '250' }],
    ['waits: 250', { waits: 250 }],
    ['network: {availabilityZones: [eu-west-1a]}', { network: { availabilityZones: ['eu-west-1a'] } }],
  ])('can be combined with a context of the same value: %s', (text, context) => {
    write('prod', text);
    expect(() => chosen({ environment: 'prod', ...context })).not.toThrow();
  });

  it('is refused if the context sets other values, and the error contains both values of each setting', () => {
    write('prod', 'waits: 250\ndeployment: prod');
    expect(() => chosen({ environment: 'prod', waits: '100', deployment: 'test' })).toThrow(
      [
        '`deployment` is "prod" in environments/prod.yaml and "test" in the context: remove one of them.',
        '`waits` is 250 in environments/prod.yaml and "100" in the context: remove one of them.',
      ].join('\n'),
    );
  });
});

describe('stacks for an account and a Region', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'gpu-endpoints-placed-'));
  const app = new App({ outdir, context: { ...templatesOnly }, stackTraces: false, treeMetadata: false });
  addStacks(app, [declare('echo'), declare('llm', { capacity: 'nvidia' })], {
    pools: [declarePool('nvidia')],
    env: { account: '123456789012', region: 'eu-west-1' },
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const assembly = app.synth();
  afterAll(() => rmSync(outdir, { recursive: true }));

  it('are deployed only to that account and Region, and pass the checks', () => {
    const places = assembly.stacks.map(({ environment }) => environment.name);
    expect(new Set(places)).toEqual(new Set(['aws://123456789012/eu-west-1']));
  });

  it('do not query AWS at synthesis', () => {
    expect(assembly.manifest.missing).toBeUndefined();
  });
});

describe('the context `alarms`', () => {
  const alarmsOf = (settings: object) =>
    ['Platform', 'Endpoint-echo'].flatMap((name) =>
      Object.values(
        stackOf(synthesizeWith(settings, [declare('echo')]), name).template.findResources('AWS::CloudWatch::Alarm'),
      ).map(({ Properties }) => [Properties.AlarmActions, Properties.OKActions]),
    );

  it('makes every alarm notify the topic when it goes off and when it is resolved', () => {
    const alarms = alarmsOf({ alarms: topic });
    expect(alarms.length).toBeGreaterThan(10);
    for (const actions of alarms) expect(actions).toEqual([[topic], [topic]]);
  });

  it('notifies no topic by default', () => {
    for (const actions of alarmsOf({})) expect(actions).toEqual([undefined, undefined]);
  });
});
