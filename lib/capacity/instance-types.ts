/**
 * The instance types that pools can have: those with x86-64 processors, which the images need, and with whole GPUs.
 * The sizes of workers depend on them. From the EC2 User Guide, "Accelerated computing".
 */

export interface InstanceType {
  readonly name: string;
  readonly kind: 'nvidia' | 'amd';
  readonly vcpus: number;
  /** Memory of the instance. Tasks get less, see `usableMemory`. */
  readonly memoryGiB: number;
  readonly gpus: number;
}

type Sizes = Readonly<Record<string, number>>;

/** Returns the number of vCPUs of a size: `xlarge` has 4, `12xlarge` has 48. */
const vcpusOf = (size: string) => 4 * Number(size.replace('xlarge', '') || 1);

/** @param sizes number of GPUs by size */
const family = (kind: InstanceType['kind'], prefix: string, gibPerVcpu: number, sizes: Sizes): InstanceType[] =>
  Object.entries(sizes).map(([size, gpus]) => {
    const vcpus = vcpusOf(size);
    return { name: `${prefix}.${size}`, kind, vcpus, memoryGiB: vcpus * gibPerVcpu, gpus };
  });

const oneGpu: Sizes = { xlarge: 1, '2xlarge': 1, '4xlarge': 1, '8xlarge': 1, '16xlarge': 1 };
const largeGpus: Sizes = { '12xlarge': 4, '24xlarge': 4, '48xlarge': 8 };

export const instanceTypes: readonly InstanceType[] = [
  ...family('nvidia', 'g4dn', 4, { ...oneGpu, '12xlarge': 4 }),
  ...family('nvidia', 'g5', 4, { ...oneGpu, ...largeGpus }),
  ...family('nvidia', 'g6', 4, { ...oneGpu, ...largeGpus }),
  ...family('nvidia', 'g6e', 8, { ...oneGpu, ...largeGpus }),
  ...family('nvidia', 'gr6', 8, { '4xlarge': 1, '8xlarge': 1 }),
  ...family('nvidia', 'p4d', 12, { '24xlarge': 8 }),
  ...family('nvidia', 'p4de', 12, { '24xlarge': 8 }),
  { name: 'p5.4xlarge', kind: 'nvidia', vcpus: 16, memoryGiB: 256, gpus: 1 },
  ...['p5', 'p5e', 'p5en'].map(
    (prefix): InstanceType => ({
      name: `${prefix}.48xlarge`,
      kind: 'nvidia',
      vcpus: 192,
      memoryGiB: 2048,
      gpus: 8,
    }),
  ),
  ...family('amd', 'g4ad', 4, { xlarge: 1, '2xlarge': 1, '4xlarge': 1, '8xlarge': 2, '16xlarge': 4 }),
];

const byName: ReadonlyMap<string, InstanceType> = new Map(instanceTypes.map((type) => [type.name, type]));

export const namesOf = (kind: InstanceType['kind']): string[] =>
  instanceTypes.filter((type) => type.kind === kind).map(({ name }) => name);

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
export const usableMemory = ({ memoryGiB }: InstanceType): number => Math.floor(memoryGiB * 1024 * USABLE);

/** Returns the CPU units that all tasks of an instance can use in total. */
export const cpuUnitsOf = ({ vcpus }: InstanceType): number => vcpus * 1024;
