/** The addresses to which webhooks can be sent: public addresses, and networks that the operator allows. */
import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks without public hosts: the IANA registry of special-purpose addresses, multicast and reserved
 * networks. 169.254/16 serves the credentials of instances, tasks and functions.
 */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/**
 * The IPv6 network of public addresses. All other addresses are refused: loopback, link-local, unique local,
 * multicast, and representations of IPv4 addresses (mapped, compatible and NAT64).
 */
const global6 = '2000::/3';
/**
 * Special-purpose networks within the public IPv6 network: protocol assignments with Teredo, documentation, 6to4,
 * AS112.
 */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] as const;

/** Networks that an operator can allow: private networks, shared networks of a provider, and loopback. */
const allowable = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
] as const;
/** Metadata, name servers and time servers of EC2, which are never allowed, even within an allowed network. */
const ec2 = 'fd00:ec2::/32';

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * Parses a network.
 * @param text a network such as `10.0.0.0/8`, or one address
 * @throws Error if the string is neither
 */
function parseNetwork(text: string): Network {
  const [, address = '', length] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const bits = Number(length ?? maxBits);
  if (version === 0 || bits > maxBits)
    throw new Error(`${text} is not an IP address or a network such as 10.1.0.0/16.`);
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

function listOf(...networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family);
  return list;
}

const specialIPv4 = listOf(...special4.map(parseNetwork));
const globalIPv6 = listOf(parseNetwork(global6));
const specialIPv6 = listOf(...special6.map(parseNetwork));
const ec2IPv6 = listOf(parseNetwork(ec2));
const allowableNetworks = allowable.map(parseNetwork).map((network) => ({ ...network, list: listOf(network) }));

/** Returns whether the string is a public IPv4 or IPv6 address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !specialIPv4.check(address, 'ipv4');
  return version === 6 && globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}

/**
 * Allowed networks in separate lists by family, because a common list would also match IPv6 forms of IPv4
 * addresses.
 */
export interface AllowedNetworks {
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

/**
 * Returns whether an operator can allow the network. Networks of EC2, such as that of its metadata service in
 * `fc00::/7`, cannot be allowed.
 */
const isAllowable = ({ address, bits, family }: Network): boolean =>
  !(family === 'ipv6' && ec2IPv6.check(address, family)) &&
  allowableNetworks.some((outer) => outer.family === family && bits >= outer.bits && outer.list.check(address, family));

/**
 * Returns the networks that an operator allows.
 * @param entries addresses and networks such as `127.0.0.1`, `10.1.0.0/16`, `::1`
 * @throws Error for an invalid or public entry; link-local and multicast addresses are never allowed
 */
export function allowedNetworks(entries: readonly string[]): AllowedNetworks {
  const networks = entries.map(parseNetwork);
  const wrong = networks.findIndex((network) => !isAllowable(network));
  if (wrong >= 0)
    throw new Error(
      `Webhooks to ${entries[wrong]} cannot be allowed: allow only private networks, such as 10.1.0.0/16.`,
    );
  const listOfFamily = (family: Network['family']) => listOf(...networks.filter((one) => one.family === family));
  return { ipv4: listOfFamily('ipv4'), ipv6: listOfFamily('ipv6') };
}

/** Returns whether webhooks can be sent to the address. */
export function isCallable(address: string, { ipv4, ipv6 }: AllowedNetworks): boolean {
  if (isPublicAddress(address)) return true;
  const version = isIP(address);
  if (version === 4) return ipv4.check(address, 'ipv4');
  return version === 6 && ipv6.check(address, 'ipv6') && !ec2IPv6.check(address, 'ipv6');
}
