/**
 * Job ids, which sort by time, cannot be guessed, and contain only characters that are safe in paths and messages.
 */

import { crc32 } from 'node:zlib';
import type { JobKey, JobKind } from './job.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 26;

/** Form of all issued job ids. The service only looks up ids of this form. */
export const JOB_ID = /^(?:sync-)?[0-9a-z]{36}$/;

const SYNC = 'sync-';

/** Returns the part of an id by which jobs of all kinds sort by time. */
export const orderOf = (id: string): string => (id.startsWith(SYNC) ? id.slice(SYNC.length) : id);

/** A range of ids of one kind, including both ends. */
export interface IdRange {
  readonly first: string;
  readonly last: string;
}

/** Greater than the order of every job: until the year 3084, the time begins with 0. */
const LATEST = '0'.padEnd(TIME_CHARACTERS + RANDOM_CHARACTERS, ALPHABET.slice(-1));

/**
 * Returns ranges that cover all ids of a partition. Ids with the prefix sort after all other ids, so there are two
 * ranges, each sorted by time.
 * @param before an order above which ids are excluded; by default, none are excluded
 */
export function idRanges(before = LATEST): IdRange[] {
  return ['', SYNC].map((prefix) => ({ first: `${prefix}0`, last: prefix + before }));
}

/**
 * Returns a job id: `[sync-]<10 characters of time><26 random characters>`, with 130 random bits.
 * @param random one random byte for each random character
 */
export function jobId(kind: JobKind, now: number, random: Uint8Array): string {
  let time = '';
  for (let rest = now; time.length < TIME_CHARACTERS; rest = Math.floor(rest / 32))
    time = ALPHABET.charAt(rest % 32) + time;
  const tail = Array.from(random.subarray(0, RANDOM_CHARACTERS), (byte) => ALPHABET.charAt(byte % 32)).join('');
  if (tail.length < RANDOM_CHARACTERS) throw new Error(`A job id needs ${RANDOM_CHARACTERS} random bytes.`);
  return `${kind === 'runsync' ? SYNC : ''}${time}${tail}`;
}

/** Returns the time in an id of the form `JOB_ID`: its submission, in milliseconds since the epoch. */
export const submittedAt = (id: string): number =>
  [...orderOf(id).slice(0, TIME_CHARACTERS)].reduce((time, character) => time * 32 + ALPHABET.indexOf(character), 0);

/** Creates job ids; injected so that tests can choose them. */
export type NewJobId = (kind: JobKind, now: number) => string;

/**
 * Number of partitions over which jobs and payloads of an endpoint are spread, because the throughput of one
 * partition is limited.
 */
const SHARDS = 4;

export const partitionOf = ({ endpoint, id }: JobKey): string => `${endpoint}#${crc32(id) % SHARDS}`;

export const partitionsOf = (endpoint: string): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${endpoint}#${shard}`);

/**
 * Returns the partition of the payload table in which an endpoint's workers claim the measurement of its volume.
 * It contains no jobs.
 */
export const volumePartitionOf = (endpoint: string): string => `${endpoint}#volume`;

/** Returns the endpoint of a partition. */
export const endpointOf = (partition: string): string => partition.slice(0, partition.lastIndexOf('#'));
