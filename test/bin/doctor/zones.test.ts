/** Tests which zones `npx gpu-endpoints doctor` refuses for the ingress, over answers in the formats of AWS. */
import { describe, expect, it } from '@jest/globals';
import { appOf } from '../../../bin/assembly/app.ts';
import { links, origins } from '../../../bin/doctor/supported-zones.ts';
import { checkZones, zonesNeed } from '../../../bin/doctor/zones.ts';
import { synthesizeWith } from '../../lib/synthesis.ts';
import { type Answers, ec2Fault, ec2List } from './stub.ts';
import { useAccount } from './use-account.ts';

const accountWith = useAccount('us-east-1');

const needWith = (settings: object) => {
  const stacks = Object.entries(synthesizeWith(settings));
  return zonesNeed(appOf(Object.fromEntries(stacks.map(([id, { template }]) => [id, template.toJSON()]))));
};

/** Zones of an account by their letters. Another account has other ids for the same letters. */
const unlucky = { c: 'use1-az6', a: 'use1-az3', b: 'use1-az1', d: 'use1-az2' };
const lucky = { a: 'use1-az1', b: 'use1-az2', c: 'use1-az3', d: 'use1-az4' };
type Letters = Readonly<Record<string, string>>;

interface Given {
  readonly letters: Letters;
  /**
   * Letters of the zones with a default subnet.
   * @default - no zone has one
   */
  readonly defaults?: readonly string[];
  /** Letter of the zone by subnet of an existing VPC. */
  readonly subnets?: Letters;
  readonly region?: string;
}

const answersOf = ({ letters, defaults = [], subnets = {}, region = 'us-east-1' }: Given): Answers => ({
  DescribeAvailabilityZones: () =>
    ec2List(
      'DescribeAvailabilityZones',
      'availabilityZoneInfo',
      Object.entries(letters).map(([letter, zoneId]) => ({ zoneName: region + letter, zoneId })),
    ),
  DescribeSubnets(members) {
    const isOfDefaults = members['Filter.1.Name'] === 'default-for-az';
    const asked = isOfDefaults
      ? defaults.map((letter) => [`subnet-${letter}`, letter] as const)
      : Object.entries(subnets);
    const items = asked.map(([subnetId, letter]) => ({
      subnetId,
      availabilityZone: region + letter,
      availabilityZoneId: letters[letter] ?? '',
    }));
    return ec2List('DescribeSubnets', 'subnetSet', items);
  },
});

function findingOf(given: Given & { readonly settings?: object; readonly deployed?: boolean }) {
  const need = needWith(given.settings ?? {});
  if (!need) throw new Error('These settings have no ingress.');
  const { region = 'us-east-1', deployed = false } = given;
  const present = Promise.resolve(new Set(deployed ? ['Platform'] : []));
  return checkZones(accountWith(answersOf(given)), need, { region, present });
}

const sharedVpc = (...availabilityZones: string[]) => ({
  network: {
    vpcId: 'vpc-0123456789abcdef0',
    privateSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    availabilityZones,
  },
});

describe('the check of the zones', () => {
  it('accepts the first two zones of the account if both features support them', async () => {
    expect(await findingOf({ letters: lucky })).toEqual({
      check: 'Zones of the ingress',
      level: 'ok',
      found:
        'us-east-1a (use1-az1), us-east-1b (use1-az2): VPC links V2 of API Gateway and VPC origins of CloudFront support them.',
    });
  });

  it('refuses a zone that has the same name as a supported zone of another account, and suggests the setting', async () => {
    expect(await findingOf({ letters: unlucky })).toEqual({
      check: 'Zones of the ingress',
      level: 'problem',
      found:
        'The ingress uses us-east-1a (use1-az3), us-east-1b (use1-az1): VPC links V2 of API Gateway do not support us-east-1a (use1-az3), and VPC origins of CloudFront do not support us-east-1a (use1-az3).',
      needed:
        'Zones such as us-east-1b (use1-az1), us-east-1c (use1-az6), us-east-1d (use1-az2). In other zones, the stack Platform fails after the subnets exist.',
      fix: 'set `network.availabilityZones: [us-east-1b, us-east-1c]` in the file of the environment before the first deployment; or deploy with -c ingress=off',
    });
  });

  it('takes the zones from the setting', async () => {
    const named = (...availabilityZones: string[]) => ({ settings: { network: { availabilityZones } } });
    expect(await findingOf({ letters: unlucky, ...named('us-east-1b', 'us-east-1c') })).toMatchObject({ level: 'ok' });
    expect(await findingOf({ letters: unlucky, ...named('us-east-1c', 'us-east-1a') })).toMatchObject({
      level: 'problem',
      found: expect.stringContaining('us-east-1a (use1-az3)'),
    });
    expect(await findingOf({ letters: unlucky, ...named('us-east-1b', 'us-east-1f') })).toMatchObject({
      level: 'problem',
      found: 'The account has no zone us-east-1f in us-east-1.',
    });
  });

  it('compares the zones of the subnets of an existing VPC, which AWS reports', async () => {
    const subnets = { 'subnet-0123456789abcdef0': 'b', 'subnet-0123456789abcdef1': 'a' };
    const settings = sharedVpc('us-east-1b', 'us-east-1c');
    expect(await findingOf({ letters: unlucky, settings, subnets })).toMatchObject({
      level: 'problem',
      found: expect.stringContaining('do not support us-east-1a (use1-az3)'),
      fix: expect.stringContaining(
        'set `network.privateSubnetIds` and `network.availabilityZones` to subnets in two of',
      ),
    });
    const { 'subnet-0123456789abcdef0': _, ...one } = subnets;
    expect(await findingOf({ letters: unlucky, settings, subnets: one })).toMatchObject({
      level: 'problem',
      found: 'The account has no subnet subnet-0123456789abcdef0 in us-east-1.',
    });
  });

  it('counts only zones with a default subnet, as CloudFormation does, unless no zone has one', async () => {
    expect(await findingOf({ letters: unlucky, defaults: ['b', 'd'] })).toMatchObject({
      level: 'ok',
      found: expect.stringContaining('us-east-1b (use1-az1), us-east-1d (use1-az2)'),
    });
  });

  it('compares only the first two zones with those of VPC links, and all zones with those of VPC origins', async () => {
    const network = { availabilityZones: ['ca-central-1a', 'ca-central-1b', 'ca-central-1d'] };
    const letters = { a: 'cac1-az1', b: 'cac1-az2', d: 'cac1-az4' };
    const given = { region: 'ca-central-1', settings: { network } };
    expect(await findingOf({ letters, ...given })).toMatchObject({ level: 'ok' });
    expect(await findingOf({ letters: { ...letters, d: 'cac1-az3' }, ...given })).toMatchObject({
      level: 'problem',
      found: expect.stringContaining(': VPC origins of CloudFront do not support ca-central-1d (cac1-az3).'),
    });
  });

  it('says that a Region is not known, and how to check it', async () => {
    const given = { region: 'ap-northeast-3', letters: { a: 'apne3-az1', b: 'apne3-az2' } };
    expect(await findingOf(given)).toEqual({
      check: 'Zones of the ingress',
      level: 'warning',
      found: `The ingress uses ap-northeast-3a (apne3-az1), ap-northeast-3b (apne3-az2). The zones of VPC links V2 of API Gateway (as documented on ${links.read}) in ap-northeast-3 are not known here.`,
      needed: 'Zones that both support. In other zones, the stack Platform fails after the subnets exist.',
      fix: `compare the ids with the list of ap-northeast-3 at ${links.source}; if a zone is missing there, set \`network.availabilityZones\``,
    });
    expect(await findingOf({ ...given, deployed: true })).toMatchObject({ level: 'ok' });
  });

  it('only warns if the stack is deployed, because AWS has accepted its zones', async () => {
    expect(await findingOf({ letters: unlucky, deployed: true })).toMatchObject({ level: 'warning' });
  });

  it('suggests a deployment without the ingress if fewer than two zones are possible', async () => {
    expect(await findingOf({ letters: { a: 'use1-az3', b: 'use1-az1' } })).toMatchObject({
      fix: 'deploy with -c ingress=off',
    });
  });

  it('needs no zones without the ingress', () => {
    expect(needWith({ ingress: 'off' })).toBeUndefined();
  });

  it('warns if the credentials may not read the zones', async () => {
    const need = needWith({});
    const DescribeAvailabilityZones = () => ec2Fault('UnauthorizedOperation');
    const account = accountWith({ ...answersOf({ letters: lucky }), DescribeAvailabilityZones });
    const present = Promise.resolve(new Set<string>());
    expect(need && (await checkZones(account, need, { region: 'us-east-1', present }))).toEqual({
      check: 'Zones of the ingress',
      level: 'warning',
      found: 'Not checked. The credentials may not call ec2:DescribeAvailabilityZones.',
    });
  });
});

describe('the recorded zones', () => {
  it.each([
    ['us-east-1', 'use1-az3', false, false],
    ['us-east-1', 'use1-az4', true, true],
    ['us-west-1', 'usw1-az2', false, false],
    ['ap-east-1', 'ape1-az1', false, true],
    ['eu-west-3', 'euw3-az2', false, true],
    ['ap-northeast-1', 'apne1-az3', false, false],
    ['eu-south-1', 'eus1-az1', undefined, true],
    ['xx-nowhere-1', 'xxn1-az1', undefined, undefined],
  ])('of %s: %s', (region, zone, byLinks, byOrigins) => {
    expect([links.supports(region, zone), origins.supports(region, zone)]).toEqual([byLinks, byOrigins]);
  });
});
