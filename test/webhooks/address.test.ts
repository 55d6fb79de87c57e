/** Compares the address check with IANA's registries, which this test evaluates as numbers. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allowedNetworks, isCallable, isPublicAddress } from '../../core/webhooks/address.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { hostileNames, publicAddresses } from './egress/hostile-urls.ts';

/**
 * First and last address of each range that is not public, from IANA's special-purpose and multicast registries.
 */
const special4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;
/** The IPv6 ranges that are not public, by the first four of the eight groups of an address. */
const special6 = [
  ['0:0:0:0', '1fff:ffff:ffff:ffff'],
  ['2001:0:0:0', '2001:1ff:ffff:ffff'],
  ['2001:db8:0:0', '2001:db8:ffff:ffff'],
  ['2002:0:0:0', '2002:ffff:ffff:ffff'],
  ['2620:4f:8000:0', '2620:4f:8000:ffff'],
  ['3fff:0:0:0', '3fff:fff:ffff:ffff'],
  ['4000:0:0:0', 'ffff:ffff:ffff:ffff'],
] as const;

const number4 = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const text4 = (value: number) => [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
const number6 = (groups: string) => groups.split(':').reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
const text6 = (half: bigint, rest: string) =>
  [48n, 32n, 16n, 0n].map((bits) => ((half >> bits) & 0xffffn).toString(16)).join(':') + rest;

const MAX_6 = 2n ** 64n - 1n;
const borders4 = special4.flatMap(([first, last]) => [number4(first), number4(last)]);
const borders6 = special6.flatMap(([first, last]) => [number6(first), number6(last)]);

/** Random addresses, and addresses near the borders of ranges, where mistakes are likely. */
const addresses4 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc
    .tuple(fc.constantFrom(...borders4), fc.integer({ min: -2, max: 2 }))
    .map(([border, off]) => Math.min(2 ** 32 - 1, Math.max(0, border + off))),
);
const halves6 = fc.oneof(
  fc.bigInt(0n, MAX_6),
  fc.bigInt(number6('2000:0:0:0'), number6('2002:ffff:ffff:ffff')),
  fc
    .tuple(fc.constantFrom(...borders6), fc.bigInt(-2n, 2n))
    .map(([border, off]) => (border + off < 0n ? 0n : border + off > MAX_6 ? MAX_6 : border + off)),
);
const rests = fc.constantFrom('::', '::1', ':0:0:7f00:1', ':ffff:ffff:ffff:ffff');

const seed = seedOf(PROPERTY_SEED);

describe('isPublicAddress', () => {
  it('accepts an IPv4 address if no registry reserves it', () => {
    fc.assert(
      fc.property(addresses4, (value) => {
        const special = special4.some(([first, last]) => value >= number4(first) && value <= number4(last));
        expect([text4(value), isPublicAddress(text4(value))]).toEqual([text4(value), !special]);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('accepts an IPv6 address if no registry reserves it', () => {
    fc.assert(
      fc.property(halves6, rests, (half, rest) => {
        const special = special6.some(([first, last]) => half >= number6(first) && half <= number6(last));
        expect([text6(half, rest), isPublicAddress(text6(half, rest))]).toEqual([text6(half, rest), !special]);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('refuses an IPv6 address that embeds an IPv4 address', () => {
    const forms = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2002:'] as const;
    fc.assert(
      fc.property(addresses4, fc.constantFrom(...forms), (value, form) => {
        const groups = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
        expect(isPublicAddress(form + groups + (form === '2002:' ? '::' : ''))).toBe(false);
      }),
      { seed, numRuns: 500 },
    );
  });

  it.each(publicAddresses)('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '8.8.8', '8.8.8.8/32', '[2606:4700::1]', '0x8.8.8.8', '8.8.8.8 '])(
    'refuses %j, which is not an address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});

describe('an entry in the list of allowed networks', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.0/8',
    '10.0.0.0/8',
    '10.1.2.0/24',
    '100.64.0.0/16',
    '172.20.0.7',
    '192.168.0.0/16',
    '::1',
    'fd12:3456::/32',
  ])('may be %s', (entry) => {
    expect(isCallable(entry.split('/')[0] ?? '', allowedNetworks([entry]))).toBe(true);
  });

  it.each([
    '',
    'localhost',
    '*',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/7',
    '10.0.0.0/33',
    '10.0.0.1:80',
    '169.254.169.254',
    '169.254.0.0/16',
    '224.0.0.1',
    '8.8.8.8',
    'fe80::1',
    'fd00:ec2::254',
    'fd00:ec2::/32',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
  ])('may not be %j', (entry) => {
    expect(() => allowedNetworks([entry])).toThrow(/only private networks|is not an IP address/);
  });

  it('does not allow a metadata address in a larger network, or an address in another notation', () => {
    const all = allowedNetworks(['10.0.0.0/8', '127.0.0.0/8', '::1', 'fc00::/7']);
    for (const address of ['fd00:ec2::254', '169.254.169.254', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '0.0.0.0', '::'])
      expect([address, isCallable(address, all)]).toEqual([address, false]);
    const forbidden = Object.entries(hostileNames).filter(([, found]) => found.some((one) => !isCallable(one, all)));
    expect(forbidden.map(([name]) => name)).toEqual(
      expect.arrayContaining(['metadata.nicob.net', 'mapped.test', 'nat64.test', 'zone.test', 'nonsense.test']),
    );
  });
});
