/** Reads the zones of the account, and what uses its quotas of networks. */
import {
  type AvailabilityZone,
  DescribeAddressesCommand,
  DescribeAvailabilityZonesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  EC2Client,
  type EC2ClientConfig,
} from '@aws-sdk/client-ec2';
import { bounded } from './bounded.ts';

/** A zone. AWS maps names to ids differently in each account. */
export interface Zone {
  readonly name: string;
  readonly id: string;
}

/** Each method throws `CallFailed` if the call fails or times out. */
export interface NetworkReads {
  /** @returns the zones of the Region that the account can use, without Local Zones, in the order of their names */
  zones(): Promise<readonly Zone[]>;
  /**
   * @returns the zones that `Fn::GetAZs` returns: those with a default subnet, or all zones if no zone has one. (AWS
   * CloudFormation User Guide, "Fn::GetAZs".)
   */
  defaultZones(): Promise<readonly Zone[]>;
  /** @returns the zones of the subnets, in the order of the ids; undefined for subnets that do not exist */
  zonesOfSubnets(ids: readonly string[]): Promise<readonly (Zone | undefined)[]>;
  /** @returns the number of VPCs in the Region that belong to the account, without VPCs that others share with it */
  vpcs(account: string): Promise<number>;
  /** @returns the number of Elastic IP addresses in the Region */
  addresses(): Promise<number>;
}

const zoneOf = ({ ZoneName = '', ZoneId = '' }: AvailabilityZone): Zone => ({ name: ZoneName, id: ZoneId });

const byName = (one: Zone, other: Zone): number => (one.name < other.name ? -1 : 1);

/** @param limit for one call, in milliseconds */
export function createNetworkReads(settings: EC2ClientConfig, limit: number): NetworkReads {
  const client = new EC2Client(settings);
  const zones = () =>
    bounded('ec2:DescribeAvailabilityZones', limit, async () => {
      const Filters = [
        { Name: 'zone-type', Values: ['availability-zone'] },
        { Name: 'state', Values: ['available'] },
      ];
      const { AvailabilityZones = [] } = await client.send(new DescribeAvailabilityZonesCommand({ Filters }));
      return AvailabilityZones.map(zoneOf).sort(byName);
    });
  const subnets = (filter: string, values: readonly string[]) =>
    bounded('ec2:DescribeSubnets', limit, async () => {
      const Filters = [{ Name: filter, Values: [...values] }];
      return (await client.send(new DescribeSubnetsCommand({ Filters }))).Subnets ?? [];
    });
  return {
    zones,
    async defaultZones() {
      const [all, defaults] = await Promise.all([zones(), subnets('default-for-az', ['true'])]);
      const ids = new Set(defaults.map(({ AvailabilityZoneId }) => AvailabilityZoneId));
      return ids.size === 0 ? all : all.filter(({ id }) => ids.has(id));
    },
    async zonesOfSubnets(ids) {
      const found = await subnets('subnet-id', ids);
      return ids.map((id) => {
        const subnet = found.find(({ SubnetId }) => SubnetId === id);
        return subnet && { name: subnet.AvailabilityZone ?? '', id: subnet.AvailabilityZoneId ?? '' };
      });
    },
    vpcs: (account) =>
      bounded('ec2:DescribeVpcs', limit, async () => {
        const Filters = [{ Name: 'owner-id', Values: [account] }];
        return (await client.send(new DescribeVpcsCommand({ Filters }))).Vpcs?.length ?? 0;
      }),
    addresses: () =>
      bounded('ec2:DescribeAddresses', limit, async () => {
        return (await client.send(new DescribeAddressesCommand({}))).Addresses?.length ?? 0;
      }),
  };
}
