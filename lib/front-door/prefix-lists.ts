/**
 * The managed prefix list `com.amazonaws.global.cloudfront.origin-facing`: the addresses from which CloudFront calls
 * origins.
 *
 * Its id differs by Region and never changes. The ids are constants here, because the alternatives are worse. CDK's
 * lookup calls AWS at synthesis. The security group of VPC origins exists only after the first VPC origin of the VPC.
 * A custom resource would add a function with a permission.
 */
import { CfnMapping, Stack, Token } from 'aws-cdk-lib';
import { type IPeer, Peer } from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import { InvalidSetting } from '../settings/settings.ts';

/** Ids in the Regions that have the list, from `aws ec2 describe-managed-prefix-lists`. */
const idByRegion: Readonly<Record<string, string>> = {
  'ap-northeast-1': 'pl-58a04531',
  'ap-northeast-2': 'pl-22a6434b',
  'ap-northeast-3': 'pl-31a14458',
  'ap-south-1': 'pl-9aa247f3',
  'ap-southeast-1': 'pl-31a34658',
  'ap-southeast-2': 'pl-b8a742d1',
  'ca-central-1': 'pl-38a64351',
  'eu-central-1': 'pl-a3a144ca',
  'eu-north-1': 'pl-fab65393',
  'eu-west-1': 'pl-4fa04526',
  'eu-west-2': 'pl-93a247fa',
  'eu-west-3': 'pl-75b1541c',
  'sa-east-1': 'pl-5da64334',
  'us-east-1': 'pl-3b927c52',
  'us-east-2': 'pl-b6a144df',
  'us-west-1': 'pl-4ea04527',
  'us-west-2': 'pl-82a045eb',
};

/**
 * Returns the list of the stack's Region. If the Region is known only at deployment and has no known list,
 * CloudFormation refuses the template before it creates anything.
 * @throws InvalidSetting if the stack has a Region without a known list
 */
export function cloudFrontPeer(scope: Construct): IPeer {
  const { region } = Stack.of(scope);
  if (!Token.isUnresolved(region) && !(region in idByRegion))
    throw new InvalidSetting(
      `The ingress cannot be in the Region ${region}; it can be in ${Object.keys(idByRegion).join(', ')}. Deploy without it there: \`-c ingress=off\`.`,
    );
  const mapping = Object.fromEntries(Object.entries(idByRegion).map(([name, id]) => [name, { id }]));
  const lists = new CfnMapping(scope, 'CloudFrontPrefixLists', { mapping, lazy: true });
  return Peer.prefixList(lists.findInMap(region, 'id'));
}
