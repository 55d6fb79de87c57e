/** Job ids: they sort by time, cannot be guessed, and use only characters that are safe in paths and messages. */

import { crc32 } from 'node:zlib';
import type { JobKey, JobKind } from './job.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 26;

/** The form of every id this service has given out, and of any that it looks up. */
export const JOB_ID = /^(?:sync-)?[0-9a-z]{36}$/;

const SYNC = 'sync-';

/** The part of an id by which jobs of every kind sort by time. */
export const orderOf = (id: string): string => (id.startsWith(SYNC) ? id.slice(SYNC.length) : id);

/** Ids of one kind, both ends included. */
export interface IdRange {
  readonly first: string;
  readonly last: string;
}

/** Above the order of every job: until the year 3084 the time begins with 0. */
const LATEST = '0'.padEnd(TIME_CHARACTERS + RANDOM_CHARACTERS, ALPHABET.slice(-1));

/**
 * Ids with the prefix sort after all others, so those of a partition are two rows, each in the order of time.
 * @param before an order; without it the ranges have all ids
 */
export function idRanges(before = LATEST): IdRange[] {
  return ['', SYNC].map((prefix) => ({ first: `${prefix}0`, last: prefix + before }));
}

/**
 * `[sync-]<10 characters of time><26 random ones>`: 130 random bits.
 * @param random as many random bytes as random characters
 */
export function jobId(kind: JobKind, now: number, random: Uint8Array): string {
  let time = '';
  for (let rest = now; time.length < TIME_CHARACTERS; rest = Math.floor(rest / 32))
    time = ALPHABET.charAt(rest % 32) + time;
  const tail = Array.from(random.subarray(0, RANDOM_CHARACTERS), (byte) => ALPHABET.charAt(byte % 32)).join('');
  if (tail.length < RANDOM_CHARACTERS) throw new Error(`A job id needs ${RANDOM_CHARACTERS} random bytes.`);
  return `${kind === 'runsync' ? SYNC : ''}${time}${tail}`;
}

/** Makes job ids; injected so that tests can name jobs. */
export type NewJobId = (kind: JobKind, now: number) => string;

/** Jobs and payloads of an endpoint are spread over a few partitions, so that no endpoint is bound to the rate of one. */
const SHARDS = 4;

export const partitionOf = ({ endpoint, id }: JobKey): string => `${endpoint}#${crc32(id) % SHARDS}`;

export const partitionsOf = (endpoint: string): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${endpoint}#${shard}`);

/** The partition of the payload table in which the workers of an endpoint mark who measures its volume. No job has it. */
export const volumePartitionOf = (endpoint: string): string => `${endpoint}#volume`;

/** The endpoint of a partition. */
export const endpointOf = (partition: string): string => partition.slice(0, partition.lastIndexOf('#'));
