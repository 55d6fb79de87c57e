/** The texts of the fields of an endpoint whose allowed values depend on its capacity. */
import type { FieldText } from '../settings/field-text.ts';
import { DEFAULT_CPU, DEFAULT_MEMORY } from './cpu.ts';
import { cpuUnits } from './fargate-size.ts';
import { USABLE } from './instance-types.ts';
import { FARGATE } from './kinds.ts';
import { MIN_CPU, MIN_MEMORY } from './nvidia.ts';
import { MIN_SHARED_MEMORY } from './pool-refusals.ts';

const onFargate = `\`capacity: ${FARGATE}\``;
const share = `${100 * USABLE} %`;

export const sizeTexts = {
  cpu: {
    description: 'CPU units of a worker; 1024 are one vCPU.',
    without: `${DEFAULT_CPU} with ${onFargate}; on an NVIDIA pool, the share of the smallest instance type that belongs to the worker's GPUs; on an AMD pool, the whole instance`,
    allowed: `with ${onFargate}: ${cpuUnits.join(', ')}; on an NVIDIA pool: ${MIN_CPU} to the CPU units of the smallest instance type`,
    condition: 'Must be omitted on an AMD pool.',
    guide: 'capacitySize',
  },
  memory: {
    description: 'Memory of a worker in MiB; ECS kills a worker that uses more.',
    without: `${DEFAULT_MEMORY} with ${onFargate}; on an NVIDIA pool, the share of ${share} of the smallest instance type that belongs to the worker's GPUs; on an AMD pool, ${share} of the instance`,
    allowed: `with ${onFargate}: see [Sizes of workers on Fargate](#sizes-of-workers-on-fargate); on an NVIDIA pool: ${MIN_MEMORY} to ${share} of the smallest instance type`,
    condition: 'Must be omitted on an AMD pool.',
    guide: 'capacitySize',
  },
  gpus: {
    description: 'Number of whole GPUs of a worker.',
    without: '1 on an NVIDIA pool; all GPUs of the instance on an AMD pool',
    condition: `On an NVIDIA pool, at most the GPUs of the smallest instance type. On an AMD pool, only the GPUs of the instance. Must be omitted with ${onFargate}.`,
    guide: 'capacitySize',
  },
  sharedMemorySize: {
    description: 'Size of `/dev/shm` in MiB, a part of `memory`, through which processes of a worker exchange data.',
    without: 'half of `memory`',
    allowed: `${MIN_SHARED_MEMORY} to \`memory\``,
    condition: `Must be omitted with ${onFargate}.`,
    guide: 'capacitySize',
  },
  spot: {
    description:
      'Whether workers run on Spot capacity, which costs less and which AWS can reclaim after a warning of two minutes.',
    without: `\`false\` with ${onFargate}; on a pool, the \`spot\` of its file`,
    condition: 'On a pool, only the `spot` of its file.',
    guide: 'capacitySpot',
  },
} as const satisfies Readonly<Record<string, FieldText>>;
