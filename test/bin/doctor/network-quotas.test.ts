/** Tests whether the account has room for the network that a deployment adds, over answers in the formats of AWS. */
import { describe, expect, it } from '@jest/globals';
import { appOf } from '../../../bin/assembly/app.ts';
import type { Finding } from '../../../bin/doctor/finding.ts';
import { checkAdded, networkNeeds } from '../../../bin/doctor/network-quotas.ts';
import { presentStacks } from '../../../bin/doctor/present.ts';
import { synthesizeWith } from '../../lib/synthesis.ts';
import { ec2Fault, ec2List, fault, json } from './stub.ts';
import { useAccount } from './use-account.ts';

const OWNER = '123456789012';
const accountWith = useAccount('eu-west-1');

const appWith = (settings: object) => {
  const stacks = Object.entries(synthesizeWith(settings));
  const declared = stacks.map(([id, { name }]) => ({ id, name }));
  const templates = Object.fromEntries(stacks.map(([id, { template }]) => [id, template.toJSON()]));
  return appOf(templates, { stacks: declared, images: 0, bootstrap: { version: 6, parameter: '' } });
};

interface Given {
  readonly vpcs?: number;
  readonly addresses?: number;
  readonly settings?: object;
  /**
   * Status of the stack `Fleet`.
   * @default - it does not exist
   */
  readonly fleet?: string;
}

const stackXml = (status: string) =>
  `<member><StackName>gpu-endpoints-Fleet</StackName><Description>gpu-endpoints: network and cluster</Description><StackStatus>${status}</StackStatus></member>`;

const times = (count: number, name: string) => Array.from({ length: count }, (_, at) => ({ [name]: `id-${at}` }));

async function findingsOf({ vpcs = 0, addresses = 0, settings = {}, fleet }: Given): Promise<Finding[]> {
  const app = appWith(settings);
  const account = accountWith({
    GetServiceQuota: ({ ServiceCode, QuotaCode }) =>
      ['vpc/L-F678F1CE', 'ec2/L-0263D0A3'].includes(`${ServiceCode}/${QuotaCode}`)
        ? json({ Quota: { Value: 5 } })
        : fault('NoSuchResourceException'),
    // The account sees more VPCs: others share theirs with it.
    DescribeVpcs: (members) =>
      ec2List(
        'DescribeVpcs',
        'vpcSet',
        times(members['Filter.1.Name'] === 'owner-id' && members['Filter.1.Value.1'] === OWNER ? vpcs : 99, 'vpcId'),
      ),
    DescribeAddresses: () => ec2List('DescribeAddresses', 'addressesSet', times(addresses, 'allocationId')),
    DescribeStacks: () => ({
      body: `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks>${fleet ? stackXml(fleet) : ''}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    }),
  });
  const present = Promise.resolve(await presentStacks(account, app.deployment.stacks));
  const place = { region: 'eu-west-1', owner: OWNER, present };
  return Promise.all(networkNeeds(app).map((need) => checkAdded(account, need, place)));
}

describe('the check of the quotas of the network', () => {
  it('accepts a deployment for which there is room', async () => {
    expect(await findingsOf({ vpcs: 4, addresses: 4 })).toEqual([
      {
        check: 'Quota: VPCs per Region',
        level: 'ok',
        found: '5 VPCs, of which 4 are used. The deployment adds 1.',
      },
      {
        check: 'Quota: EC2-VPC Elastic IPs',
        level: 'ok',
        found: '5 addresses, of which 4 are used. The deployment adds 1.',
      },
    ]);
  });

  it('refuses a deployment without room, with what fails and two ways to solve it', async () => {
    const [vpcs, addresses] = await findingsOf({ vpcs: 5, addresses: 5 });
    expect(vpcs).toEqual({
      check: 'Quota: VPCs per Region',
      level: 'problem',
      found: '5 VPCs, of which 5 are used. The deployment adds 1.',
      needed: 'At least 6 VPCs; without them, the stack Fleet fails.',
      fix: expect.stringMatching(
        /request-service-quota-increase --service-code vpc --quota-code L-F678F1CE --desired-value 6; or use an existing VPC/,
      ),
    });
    expect(addresses).toMatchObject({
      level: 'problem',
      fix: expect.stringMatching(/--service-code ec2 --quota-code L-0263D0A3 --desired-value 6; or release one/),
    });
  });

  it.each(['CREATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'])(
    'adds nothing if the stack has the status %s',
    async (fleet) => {
      expect(await findingsOf({ vpcs: 5, addresses: 5, fleet })).toMatchObject([
        { level: 'ok', found: 'The deployment exists and adds no VPCs.' },
        { level: 'ok', found: 'The deployment exists and adds no addresses.' },
      ]);
    },
  );

  it('counts the network again after a first creation that was rolled back', async () => {
    const findings = await findingsOf({ vpcs: 5, addresses: 5, fleet: 'ROLLBACK_COMPLETE' });
    expect(findings.map(({ level }) => level)).toEqual(['problem', 'problem']);
  });

  it('checks nothing with an existing VPC', async () => {
    const network = {
      vpcId: 'vpc-0123456789abcdef0',
      privateSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
      availabilityZones: ['eu-west-1a', 'eu-west-1b'],
    };
    expect(await findingsOf({ vpcs: 5, addresses: 5, settings: { network } })).toEqual([]);
  });

  it('warns if the credentials may not count', async () => {
    const app = appWith({});
    const account = accountWith({
      GetServiceQuota: () => json({ Quota: { Value: 5 } }),
      DescribeVpcs: () => ec2Fault('UnauthorizedOperation'),
    });
    const [need] = networkNeeds(app);
    const place = { region: 'eu-west-1', owner: OWNER, present: Promise.resolve(new Set<string>()) };
    expect(need && (await checkAdded(account, need, place))).toMatchObject({
      level: 'warning',
      found: 'Not checked. The credentials may not call ec2:DescribeVpcs.',
    });
  });
});
