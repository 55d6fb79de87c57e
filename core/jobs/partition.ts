/** Jobs and payloads of an endpoint are spread over a few partitions, so that no endpoint is bound to the rate of one. */
import { crc32 } from 'node:zlib';
import type { JobKey } from './job.ts';

const SHARDS = 4;

export const partitionOf = ({ endpoint, id }: JobKey): string => `${endpoint}#${crc32(id) % SHARDS}`;

export const partitionsOf = (endpoint: string): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${endpoint}#${shard}`);

/** The partition of the payload table in which the workers of an endpoint mark who measures its volume. No job has it. */
export const volumePartitionOf = (endpoint: string): string => `${endpoint}#volume`;

/** The endpoint of a partition. */
export const endpointOf = (partition: string): string => partition.slice(0, partition.lastIndexOf('#'));
