/** Workers with AMD GPUs. ECS does not count these GPUs, so each worker gets a whole instance. */
import { Compatibility, type Device, DevicePermission } from 'aws-cdk-lib/aws-ecs';
import type { Kind } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';
import { defaultSharedMemory, diskShare, poolRefusals, sharedMemoryRefusals } from './pool-refusals.ts';

/** The driver's compute interface, and the folder of the GPU devices. */
const devices: readonly Device[] = ['/dev/kfd', '/dev/dri'].map((path) => ({
  hostPath: path,
  containerPath: path,
  permissions: [DevicePermission.READ, DevicePermission.WRITE],
}));

/** Pools of AMD GPUs have only one instance type. */
const typeOf = (pool: Pool) => typesOf(pool)[0] as InstanceType;

const fields = ['cpu', 'memory'] as const;

export const amd: Kind<Pool> = {
  *refusals({ gpus, sharedMemorySize, ...request }, pool) {
    const whole = `with \`capacity: ${pool.id}\`: each worker gets a whole instance (${typeOf(pool).name})`;
    if (gpus !== undefined && gpus !== typeOf(pool).gpus) yield ['gpus', `must be ${typeOf(pool).gpus} ${whole}`];
    for (const field of fields) if (request[field] !== undefined) yield [field, `must be omitted ${whole}`];
    yield* sharedMemoryRefusals(sharedMemorySize, usableMemory(typeOf(pool)));
    yield* poolRefusals(request, pool, 1);
  },

  capacity: ({ sharedMemorySize }, pool) => ({
    task: {
      compatibility: Compatibility.EC2,
      cpu: cpuUnitsOf(typeOf(pool)),
      memory: usableMemory(typeOf(pool)),
      devices,
      sharedMemory: sharedMemorySize ?? defaultSharedMemory(usableMemory(typeOf(pool))),
    },
    provider: { pool: pool.id },
    alone: true,
    category: 'AMD',
    largestDiskInGb: diskShare(pool, 1),
  }),
};
