/** Resolves the name of a host once for each call, within a time limit. */
import { lookup } from 'node:dns/promises';
import { endsWithin } from '../../../core/clock.ts';

/**
 * Returns all addresses of a host, IPv4 and IPv6.
 * @throws Error if the host has no address
 */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveName: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Resolves a name within a time limit.
 * @param time maximum milliseconds to wait
 * @returns the addresses, `[]` if the name has no address, or `undefined` if the time has run out
 */
export async function addressesOf(
  host: string,
  resolve: Resolve,
  time: number,
): Promise<readonly string[] | undefined> {
  const addresses = resolve(host).catch(() => []);
  return (await endsWithin(time, addresses)) ? addresses : undefined;
}
