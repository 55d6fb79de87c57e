/** Turns EC2's descriptions of instance types into the rows of `lib/capacity/instance-types.yaml`. */
import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { InstanceType } from '../../lib/capacity/instance-types.ts';

const kinds: Readonly<Record<string, InstanceType['kind']>> = { NVIDIA: 'nvidia', AMD: 'amd' };

/**
 * Families that pools do not support: AWS does not sell them any more, or their GPUs are too old for the driver of the
 * ECS image.
 */
const OLD = /^(?:g2|g3s?|p2|p3(?:dn)?)\./;

/** Returns the number of network interfaces of the first card, which are those that ECS gives to tasks. */
function interfacesOf({ NetworkInfo = {} }: InstanceTypeInfo): number | undefined {
  const { DefaultNetworkCardIndex = 0, NetworkCards = [], MaximumNetworkInterfaces } = NetworkInfo;
  const card = NetworkCards.find(({ NetworkCardIndex }) => NetworkCardIndex === DefaultNetworkCardIndex);
  return card?.MaximumNetworkInterfaces ?? MaximumNetworkInterfaces;
}

/**
 * Returns the row of an instance type, or undefined if pools cannot have the type: it has no x86-64 processor, no whole
 * GPU of NVIDIA or AMD, GPUs of several models, no operating system of its own (bare metal), or an old family (`OLD`).
 */
export function recordOf(info: InstanceTypeInfo): InstanceType | undefined {
  const { InstanceType: name, BareMetal, GpuInfo, MemoryInfo, ProcessorInfo, VCpuInfo, InstanceStorageInfo } = info;
  const [gpu, ...others] = GpuInfo?.Gpus ?? [];
  const kind = kinds[gpu?.Manufacturer?.toUpperCase() ?? ''];
  const interfaces = interfacesOf(info);
  if (name === undefined || OLD.test(name) || BareMetal || !gpu?.Count || others.length > 0 || kind === undefined)
    return;
  if (!ProcessorInfo?.SupportedArchitectures?.includes('x86_64')) return;
  const sizes = [gpu.MemoryInfo?.SizeInMiB, VCpuInfo?.DefaultVCpus, MemoryInfo?.SizeInMiB, interfaces];
  const [gpuMemoryMiB, vcpus, memoryMiB, interfaceCount] = sizes;
  if (!gpuMemoryMiB || !vcpus || !memoryMiB || !interfaceCount)
    throw new Error(`EC2's description of ${name} lacks its GPU memory, vCPUs, memory or network interfaces.`);
  return {
    name,
    kind,
    gpu: gpu.Name ?? name,
    gpus: gpu.Count,
    gpuMemoryMiB,
    vcpus,
    memoryMiB,
    localGb: InstanceStorageInfo?.TotalSizeInGB ?? 0,
    interfaces: interfaceCount,
  };
}

/** Compares families by name, and sizes of a family by their vCPUs and GPUs. */
const inOrder = (one: InstanceType, other: InstanceType) =>
  (one.name.split('.')[0] ?? '').localeCompare(other.name.split('.')[0] ?? '') ||
  one.vcpus - other.vcpus ||
  one.gpus - other.gpus;

/**
 * Writes the rows as YAML, one line each, below a comment.
 * @param head comment without `#`
 */
export function fileOf(types: readonly InstanceType[], head: string): string {
  const comment = head.split('\n').map((line) => `# ${line}`.trimEnd());
  const rows = types.toSorted(inOrder).map(({ name, ...fields }) => {
    const pairs = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
    return `${name}: { ${pairs.join(', ')} }`;
  });
  return `${[...comment, ...rows].join('\n')}\n`;
}
