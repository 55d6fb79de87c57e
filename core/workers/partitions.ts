/** Partitions of the workers table. */

/** Returns the partition of the starts of an endpoint's workers. The endpoint's leases are in the partition of its id. */
export const startsPartitionOf = (endpoint: string): string => `starts#${endpoint}`;

/** The partition of all instances. Readers and writers of starts also have access to it, but no worker. */
export const INSTANCES_PARTITION = startsPartitionOf('#instances');
