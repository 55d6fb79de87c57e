/** Which addresses a webhook may be sent to: public ones, and those of networks that the operator allows. */
import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that is not somebody's public host: the IANA registry of special-purpose addresses, multicast and what is reserved.
 * 169.254/16 has the credentials of instances, tasks and functions.
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
 * The part of IPv6 from which public addresses are given out. All else is refused: loopback, link-local, unique local,
 * multicast, and the forms that stand for an IPv4 address, mapped, compatible and NAT64.
 */
const global6 = '2000::/3';
/** The special part of it: protocol assignments with Teredo, documentation, 6to4, AS112. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] as const;

/** What an operator may allow: private networks, shared ones of a provider, and the own machine. */
const allowable = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
] as const;
/** Metadata, name servers and clocks of EC2: with no network that is allowed. */
const ec2 = 'fd00:ec2::/32';

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** `10.0.0.0/8`, or an address, which is a network of one. */
function parseNetwork(text: string): Network | undefined {
  const [, address = '', length] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const bits = Number(length ?? longest);
  return version === 0 || bits > longest ? undefined : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return list;
}

const specialIPv4 = listOf(special4);
const globalIPv6 = listOf([global6]);
const specialIPv6 = listOf(special6);
const ec2IPv6 = listOf([ec2]);

/** Whether it is an address, IPv4 or IPv6, that anybody's host on the Internet can have. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !specialIPv4.check(address, 'ipv4');
  return version === 6 && globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}

/** Networks, by family: an IPv6 form of an IPv4 address is in none, because nobody needs it. */
export interface AllowedNetworks {
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

const isAllowable = ({ address, bits, family }: Network): boolean =>
  !(family === 'ipv6' && ec2IPv6.check(address, family)) &&
  allowable.some((text) => {
    const outer = parseNetwork(text);
    return outer?.family === family && bits >= outer.bits && listOf([text]).check(address, family);
  });

/**
 * @param entries addresses and networks such as `127.0.0.1`, `10.1.0.0/16`, `::1`
 * @throws Error for an entry that is neither, or that is not private: link-local and multicast addresses never are allowed
 */
export function allowedNetworks(entries: readonly string[]): AllowedNetworks {
  const ofFamily = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const network = parseNetwork(entry);
    if (!network || !isAllowable(network))
      throw new Error(`Webhooks can be allowed into private networks such as 10.1.0.0/16 or 127.0.0.1, not ${entry}.`);
    ofFamily[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return ofFamily;
}

/** Whether webhooks may be sent to the address. */
export function isCallable(address: string, { ipv4, ipv6 }: AllowedNetworks): boolean {
  if (isPublicAddress(address)) return true;
  const version = isIP(address);
  if (version === 4) return ipv4.check(address, 'ipv4');
  return version === 6 && ipv6.check(address, 'ipv6') && !ec2IPv6.check(address, 'ipv6');
}
