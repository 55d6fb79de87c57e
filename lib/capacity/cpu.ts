/** Workers without a GPU: they run on Fargate. */
import { Compatibility } from 'aws-cdk-lib/aws-ecs';
import type { Kind } from './capacity.ts';
import { cpuUnits, memoryFor } from './fargate-size.ts';

/** CPU units and memory in MiB of a worker whose file sets neither. */
export const DEFAULT_CPU = 1024;
export const DEFAULT_MEMORY = 2048;

/** Maximum disk of a Fargate task, in GB. */
export const MAX_DISK_IN_GB = 200;

export const cpu: Kind<undefined> = {
  *refusals({ cpu: units = DEFAULT_CPU, memory = DEFAULT_MEMORY, gpus, sharedMemorySize, containerDiskInGb: disk }) {
    if (!cpuUnits.includes(units)) yield ['cpu', `must be one of ${cpuUnits.join(', ')}`];
    else if (!memoryFor(units).includes(memory))
      yield ['memory', `must be one of ${memoryFor(units).join(', ')} (MiB) with \`cpu: ${units}\``];
    if (gpus !== undefined) yield ['gpus', 'must be omitted with `capacity: cpu`: Fargate has no GPUs'];
    if (sharedMemorySize !== undefined)
      yield ['sharedMemorySize', 'must be omitted with `capacity: cpu`: Fargate does not support it'];
    if (disk !== undefined && disk > MAX_DISK_IN_GB)
      yield ['containerDiskInGb', `must be at most ${MAX_DISK_IN_GB} with \`capacity: cpu\``];
  },

  capacity: ({ cpu: units = DEFAULT_CPU, memory = DEFAULT_MEMORY, spot }) => ({
    task: { compatibility: Compatibility.FARGATE, cpu: units, memory },
    provider: { fargate: spot ? 'FARGATE_SPOT' : 'FARGATE' },
    alone: false,
    category: 'CPU',
    largestDiskInGb: MAX_DISK_IN_GB,
  }),
};
