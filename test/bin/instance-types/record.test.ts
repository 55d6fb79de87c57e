import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { fileOf, recordOf } from '../../../bin/instance-types/record.ts';
import { instanceTypes, maxTasks, namesOf } from '../../../lib/capacity/instance-types.ts';

/** EC2's description of a g6.xlarge, with the fields that matter. */
const described: InstanceTypeInfo = {
  InstanceType: 'g6.xlarge',
  BareMetal: false,
  ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
  VCpuInfo: { DefaultVCpus: 4 },
  MemoryInfo: { SizeInMiB: 16_384 },
  InstanceStorageInfo: { TotalSizeInGB: 250 },
  NetworkInfo: {
    MaximumNetworkInterfaces: 4,
    DefaultNetworkCardIndex: 0,
    NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 4 }],
  },
  GpuInfo: { Gpus: [{ Name: 'L4', Manufacturer: 'NVIDIA', Count: 1, MemoryInfo: { SizeInMiB: 22_888 } }] },
} as InstanceTypeInfo;

describe('the record of an instance type', () => {
  it('has what EC2 describes', () => {
    expect(recordOf(described)).toEqual({
      name: 'g6.xlarge',
      kind: 'nvidia',
      gpu: 'L4',
      gpus: 1,
      gpuMemoryMiB: 22_888,
      vcpus: 4,
      memoryMiB: 16_384,
      localGb: 250,
      interfaces: 4,
    });
  });

  it('counts the network interfaces of the first card, to which ECS attaches those of tasks', () => {
    const cards = [0, 1].map((NetworkCardIndex) => ({ NetworkCardIndex, MaximumNetworkInterfaces: 2 }));
    const NetworkInfo = { MaximumNetworkInterfaces: 64, DefaultNetworkCardIndex: 0, NetworkCards: cards };
    expect(recordOf({ ...described, NetworkInfo })?.interfaces).toBe(2);
  });

  it.each<[string, Partial<InstanceTypeInfo>]>([
    ['bare metal', { BareMetal: true }],
    ['an ARM processor', { ProcessorInfo: { SupportedArchitectures: ['arm64'] } }],
    ['no GPU', { GpuInfo: undefined }],
    ['a part of a GPU', { GpuInfo: { Gpus: [{ ...described.GpuInfo?.Gpus?.[0], Count: 0 }] } }],
    [
      'accelerators of another maker',
      { GpuInfo: { Gpus: [{ ...described.GpuInfo?.Gpus?.[0], Manufacturer: 'Habana' }] } },
    ],
    ['an old family', { InstanceType: 'p3.2xlarge' }],
  ])('is missing for a type with %s', (_, differences) => {
    expect(recordOf({ ...described, ...differences })).toBeUndefined();
  });

  it('is refused without a size, so that no worker gets a wrong share', () => {
    expect(() => recordOf({ ...described, MemoryInfo: {} })).toThrow(
      "EC2's description of g6.xlarge lacks its GPU memory, vCPUs, memory or network interfaces.",
    );
  });
});

describe('the file of instance types', () => {
  it('has one line for each type, in the order of families and sizes, below its comment', () => {
    const text = fileOf(instanceTypes.toReversed(), 'A comment.\n\nMore.');
    expect(text.split('\n').slice(0, 4)).toEqual([
      '# A comment.',
      '#',
      '# More.',
      expect.stringMatching(/^g4ad\.xlarge: \{ kind: amd, /),
    ]);
    const sizes = Object.keys(parse(text)).filter((name) => name.startsWith('g7e.'));
    expect(sizes.map((name) => name.slice('g7e.'.length))).toEqual([
      '2xlarge',
      '4xlarge',
      '8xlarge',
      '12xlarge',
      '24xlarge',
      '48xlarge',
    ]);
    expect(Object.entries(parse(text)).map(([name, fields]) => ({ name, ...(fields as object) }))).toEqual(
      expect.arrayContaining([...instanceTypes]),
    );
  });

  it('has the instance types of 2025 and 2026', () => {
    expect(namesOf('nvidia')).toEqual(expect.arrayContaining(['g7.2xlarge', 'g7e.48xlarge', 'p6-b200.48xlarge']));
  });

  it('has a network interface for at least one task of each type', () => {
    expect(instanceTypes.filter((type) => maxTasks(type) < 1)).toEqual([]);
  });
});
