/**
 * The VPC of the workers: a new one, or the existing one that the context `network` names. CDK does not look up the
 * network.
 */
import { Annotations } from 'aws-cdk-lib';
import { GatewayVpcEndpointAwsService, type IVpc, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import type { Construct, IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { acknowledge } from '../constructs/acknowledge.ts';
import { allowedBy, fieldTexts, NOT_ON_COMMAND_LINE, type Setting } from '../settings/field-text.ts';
import { givenTwice, InvalidSetting, parseSetting } from '../settings/settings.ts';

const SETTING = 'network';

const vpcMust = 'must be the id of a VPC, such as vpc-0123456789abcdef0';
const subnetsMust = 'must be a list of subnet ids, such as [subnet-0123456789abcdef0]';
const zonesMust = 'must be a list of availability zones, such as [eu-west-1a, eu-west-1b]';
const ifVpcMust = 'must be set if `network.vpcId` is set, and omitted otherwise';

const networkMust = 'must be a mapping with the keys vpcId, privateSubnetIds, availabilityZones';

const ZONE = /^[a-z]{2}(?:-[a-z]+)+-\d[a-z]$/;
const SUBNET = /^subnet-[0-9a-f]{8,17}$/;

/** Number of zones for which a new VPC reserves addresses, because the addresses of a subnet can never change. */
const MAX_ZONES = 4;
/** Number of zones of a new VPC without `availabilityZones`. */
const ZONES = 2;
const ownZonesMust = `must be at most ${MAX_ZONES} zones without \`network.vpcId\``;

const listOf = (pattern: RegExp, must: string) =>
  z.array(z.string(must).check(z.regex(pattern, must)), must).check(z.minLength(1, must));

const schema = z
  .strictObject(
    {
      vpcId: z.optional(z.string(vpcMust).check(z.regex(/^vpc-[0-9a-f]{8,17}$/, vpcMust))).register(fieldTexts, {
        description: 'Existing VPC for the workers and the ingress.',
        without: 'the deployment creates a VPC',
        guide: 'network',
      }),
      privateSubnetIds: z.optional(listOf(SUBNET, subnetsMust)).register(fieldTexts, {
        description: 'Private subnets of the existing VPC, in which workers and tasks of the ingress run.',
        without: 'the private subnets of the new VPC',
        condition: 'Required with `network.vpcId`, and only with it.',
        guide: 'network',
      }),
      availabilityZones: z.optional(listOf(ZONE, zonesMust)).register(fieldTexts, {
        description: 'Zones of the private subnets.',
        without: `${ZONES} zones of the Region`,
        condition: `With \`network.vpcId\`, one zone for each subnet, in the same order. Without it, at most ${MAX_ZONES} zones.`,
        guide: 'network',
      }),
    },
    networkMust,
  )
  .check(
    z.superRefine(({ vpcId, privateSubnetIds: subnets, availabilityZones: zones }, context) => {
      const complain = (field: string, message: string, input: unknown) =>
        context.addIssue({ code: 'custom', path: [field], message, input });
      if ((vpcId === undefined) !== (subnets === undefined)) complain('privateSubnetIds', ifVpcMust, subnets);
      else if (subnets && zones?.length !== subnets.length)
        complain(
          'availabilityZones',
          `must have one zone for each of the ${subnets.length} subnets, in the same order`,
          zones,
        );
      else if (vpcId === undefined && zones && zones.length > MAX_ZONES)
        complain('availabilityZones', ownZonesMust, zones);
    }),
  );

export type NetworkSettings = z.output<typeof schema>;

/**
 * Reads the context `network`.
 * @throws InvalidSetting with all problems
 */
export function networkSettingsOf(scope: IConstruct): NetworkSettings {
  const value: unknown = scope.node.tryGetContext(SETTING);
  return parseSetting(SETTING, schema, value ?? {});
}

export const networkSetting: Setting = {
  read: networkSettingsOf,
  text: {
    description: 'Network of the workers and of the ingress.',
    type: 'mapping',
    without: `a new VPC with ${ZONES} zones`,
    allowed: allowedBy(networkMust),
    condition: NOT_ON_COMMAND_LINE,
    guide: 'network',
  },
  fields: [schema],
};

/** Subnets in which workers and tasks of the ingress run. */
export const privateSubnets = { subnetType: SubnetType.PRIVATE_WITH_EGRESS } as const;

/**
 * Returns the number of availability zones of the private subnets.
 * @param given VPC of the app, instead of that of the settings
 */
export function zonesOf({ availabilityZones }: NetworkSettings, given?: IVpc): number {
  const zones = given ? given.selectSubnets(privateSubnets).availabilityZones : availabilityZones;
  return zones ? new Set(zones).size : ZONES;
}

/** Creates a VPC without inbound access. */
function ownVpc(scope: Construct, availabilityZones: string[] | undefined): Vpc {
  // One NAT gateway is the main standing cost of this VPC. A second gateway is not worth its cost for jobs that wait in
  // queues.
  const vpc = new Vpc(scope, 'Vpc', {
    ...(availabilityZones ? { availabilityZones } : { maxAzs: ZONES }),
    reservedAzs: MAX_ZONES - (availabilityZones?.length ?? ZONES),
    natGateways: 1,
    subnetConfiguration: [
      { name: 'Public', subnetType: SubnetType.PUBLIC },
      { name: 'Workers', ...privateSubnets },
    ],
    // No resource uses the default group, and restricting it requires another Lambda function.
    restrictDefaultSecurityGroup: false,
  });

  // Jobs, payloads and image layers use these free gateways instead of the NAT gateway.
  vpc.addGatewayEndpoint('DynamoDb', { service: GatewayVpcEndpointAwsService.DYNAMODB });
  vpc.addGatewayEndpoint('S3', { service: GatewayVpcEndpointAwsService.S3 });
  acknowledge(vpc, {
    VPC7: 'The network accepts no inbound traffic. Flow logs have a standing cost; operators can add them to the VPC.',
  });
  return vpc;
}

/** The VPC of an app, or its cluster in a VPC. */
export interface GivenNetwork {
  readonly vpc?: IVpc | undefined;
  readonly cluster?: ICluster | undefined;
}

/**
 * Returns the VPC that the app gives, if it gives one.
 * @throws InvalidSetting if it gives two
 */
export function vpcOf({ vpc, cluster }: GivenNetwork): IVpc | undefined {
  if (!vpc || !cluster) return vpc ?? cluster?.vpc;
  throw new InvalidSetting(
    'The app gives `cluster`, whose VPC gets the workers and the ingress, and `vpc`: remove one of them.',
  );
}

/**
 * Returns the VPC that the app gives, or else that of the settings: creates it, or imports the existing one.
 * @throws InvalidSetting if there are both
 */
export function networkOf(scope: Construct, settings: NetworkSettings, given: GivenNetwork = {}): IVpc {
  const { vpcId, privateSubnetIds = [], availabilityZones } = settings;
  const vpcOfApp = vpcOf(given);
  if (vpcOfApp && availabilityZones) throw givenTwice(SETTING, given.vpc ? 'vpc' : 'cluster');
  if (vpcOfApp) return vpcOfApp;
  if (vpcId === undefined || availabilityZones === undefined)
    // CDK's own types are not exact: `Vpc` declares optional members that can be undefined, and `IVpc` does not.
    return ownVpc(scope, availabilityZones) as IVpc;
  const vpc = Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId, availabilityZones, privateSubnetIds });
  Annotations.of(scope).acknowledgeWarning(
    '@aws-cdk/aws-ec2:noSubnetRouteTableId',
    'The importing stack does not change routes.',
  );
  return vpc;
}
