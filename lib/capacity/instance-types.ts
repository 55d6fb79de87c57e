/** The instance types that pools can have, recorded in `instance-types.yaml` by `npx node bin/instance-types.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';

export const RECORDED = join(import.meta.dirname, 'instance-types.yaml');

const natural = z.int().check(z.positive());

const recorded = z.record(
  z.string(),
  z.strictObject({
    kind: z.literal(['nvidia', 'amd']),
    /** Name of the GPU, such as `L4`. */
    gpu: z.string(),
    gpus: natural,
    /** Memory of one GPU. */
    gpuMemoryMiB: natural,
    vcpus: natural,
    /** Memory of the instance. Tasks get less, see `usableMemory`. */
    memoryMiB: natural,
    /** Total size of the disks of the instance itself. */
    localGb: z.int().check(z.nonnegative()),
    /** Network interfaces of the first network card. */
    interfaces: natural,
  }),
);

export type InstanceType = z.infer<typeof recorded>[string] & { readonly name: string };

export const instanceTypes: readonly InstanceType[] = Object.entries(
  recorded.parse(parse(readFileSync(RECORDED, 'utf8'))),
).map(([name, type]) => ({ name, ...type }));

const byName: ReadonlyMap<string, InstanceType> = new Map(instanceTypes.map((type) => [type.name, type]));

export const namesOf = (kind: InstanceType['kind']): string[] =>
  [...byName.values()].filter((type) => type.kind === kind).map(({ name }) => name);

/**
 * Returns the instance type with this name.
 * @throws Error for an unknown name. The check of pool files refuses unknown names earlier
 */
export function instanceType(name: string): InstanceType {
  const type = byName.get(name);
  if (!type) throw new Error(`There is no instance type ${name}.`);
  return type;
}

/** Share of an instance's memory that tasks get. The kernel, the drivers and the ECS agent use the rest. */
export const USABLE = 0.9;

/** Returns the MiB that all tasks of an instance can use in total. */
export const usableMemory = ({ memoryMiB }: InstanceType): number => Math.floor(memoryMiB * USABLE);

/** Returns the CPU units that all tasks of an instance can use in total. */
export const cpuUnitsOf = ({ vcpus }: InstanceType): number => vcpus * 1024;

/**
 * Returns the maximum number of tasks on an instance, whatever their size. Each task has a network interface of its own
 * on the first network card, and the instance itself needs one.
 */
export const maxTasks = ({ interfaces }: InstanceType): number => interfaces - 1;
