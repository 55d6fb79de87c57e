/**
 * Leases: the elements of the sets that count waiting calls (`lease-sets.ts`).
 *
 * A lease is a short text, because an item usually contains up to 32 of them twice and should stay below 1 KB. The text
 * contains the minute in which the lease ends, so that any process can remove the lease of a process that has died. A
 * process that holds many slots has a tag (`slot-holders.ts`), and each of its leases contains this tag: when the process
 * is dead, its leases count no longer, although they have not ended. A set counts equal leases once, so leases that exist
 * at the same time must differ. They have 32 random bits, or a number that repeats after 46,656 leases of the holder.
 *
 *   end, 5 digits | random, 6 characters    a lease without a holder
 *   ~ | tag, 3 | end, 4 digits | number, 3  a lease of a holder, of the same length
 */
import { randomBytes } from 'node:crypto';
import { DAY, MINUTE, WAIT_LEASE } from '../../core/limits.ts';
import type { SlotHolder } from './slot-holders.ts';

/** Numbers are in base 36. The minute since the epoch has 5 digits until 2085. */
const END_DIGITS = 5;
/**
 * A holder's lease contains the minute of its end modulo this number of minutes, which is 3.2 years. After that time, a
 * lease that nothing has removed counts for another day.
 */
const END_MODULUS = 36 ** 4;
/** A lease ends less than this number of minutes from now, so any other end is past. */
const MAX_MINUTES_LEFT = DAY / MINUTE;
const NUMBER_MODULUS = 36 ** 3;
const HOLDER_MARK = '~';
const HOLDER_LEASE = /^~(?<tag>.{3})(?<end>.{4})/;

const digits = (value: number, count: number) => value.toString(36).padStart(count, '0');
const endMinute = (now: number) => Math.ceil((now + WAIT_LEASE) / MINUTE);

/**
 * Returns a function that creates leases, which begin at its `now`.
 * @param holder process that holds the leases, if it has a tag
 */
export function createLeases(holder?: Pick<SlotHolder, 'tag'>): (now: number) => Promise<string> {
  let created = 0;
  return async (now) => {
    if (!holder) return endMinute(now).toString(36) + randomBytes(4).toString('base64url');
    created += 1;
    // Other calls create leases while this one waits for the tag.
    const number = created;
    return holderLease(await holder.tag(), now, number);
  };
}

const holderLease = (tag: string, now: number, number: number) =>
  HOLDER_MARK + tag + digits(endMinute(now) % END_MODULUS, 4) + digits(number % NUMBER_MODULUS, 3);

export const hasHolder = (lease: string): boolean => lease.startsWith(HOLDER_MARK);

/**
 * Returns whether the lease no longer counts.
 * @param deadTags tags of dead holders
 */
export function isOver(lease: string, now: number, deadTags: ReadonlySet<string>): boolean {
  const { tag, end } = HOLDER_LEASE.exec(lease)?.groups ?? {};
  if (tag === undefined || end === undefined) return Number.parseInt(lease.slice(0, END_DIGITS), 36) * MINUTE <= now;
  return deadTags.has(tag) || hasEnded(Number.parseInt(end, 36), Math.floor(now / MINUTE));
}

/** Reports whether an end, which is a minute modulo `END_MODULUS`, is past. */
function hasEnded(end: number, minute: number): boolean {
  const minutesLeft = (((end - minute) % END_MODULUS) + END_MODULUS) % END_MODULUS;
  return minutesLeft === 0 || minutesLeft > MAX_MINUTES_LEFT;
}
