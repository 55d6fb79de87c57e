/** `npx node bin/instance-types.ts`: records the instance types with GPUs that EC2 offers. See `HELP`. */
import { writeFileSync } from 'node:fs';
import { EC2Client, type InstanceTypeInfo, paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import { instanceTypes, RECORDED } from '../lib/capacity/instance-types.ts';
import { readFlags, runCommand } from './flags.ts';
import { fileOf, recordOf } from './instance-types/record.ts';

const HELP = `Usage: npx node bin/instance-types.ts [--region REGION]

Asks EC2 for its instance types with GPUs, and writes those that pools can have to lib/capacity/instance-types.yaml.
Types that EC2 offers in another Region only stay in the file.

  --region REGION  the Region to ask   (default: AWS_REGION, or us-east-1)
  --help           print this help

The command calls this AWS action: ec2:DescribeInstanceTypes.

Examples:
  npx node bin/instance-types.ts
  npx node bin/instance-types.ts --region eu-west-1
`;

async function offered(region: string): Promise<InstanceTypeInfo[]> {
  const pages = paginateDescribeInstanceTypes(
    { client: new EC2Client({ region }) },
    { Filters: [{ Name: 'processor-info.supported-architecture', Values: ['x86_64'] }] },
  );
  const types: InstanceTypeInfo[] = [];
  for await (const { InstanceTypes = [] } of pages) types.push(...InstanceTypes);
  return types;
}

/** Returns the first lines of the file, with the day and the Region. */
const headOf = (region: string, day: string) =>
  `The instance types that pools can have: with x86-64 processors, which the images need, and with whole GPUs. Written by
\`npx node bin/instance-types.ts\`, which asks EC2. Recorded on ${day} in ${region}.

vcpus, memoryMiB, gpus, gpuMemoryMiB (of one GPU); localGb: disks of the instance itself, 0 without; interfaces: network
interfaces of the first network card. Each task needs one interface, and the instance itself needs one.
`;

async function main(): Promise<void> {
  const { AWS_REGION = 'us-east-1' } = process.env;
  const options = {
    region: { type: 'string', default: AWS_REGION },
    help: { type: 'boolean', default: false },
  } as const;
  const values = readFlags('npx node bin/instance-types.ts', options, process.argv.slice(2));
  if (values.help) return void console.log(HELP);
  const types = new Map(
    [...instanceTypes, ...(await offered(values.region)).flatMap((info) => recordOf(info) ?? [])].map((type) => [
      type.name,
      type,
    ]),
  );
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(RECORDED, fileOf([...types.values()], headOf(values.region, day)));
  const known = new Set(instanceTypes.map(({ name }) => name));
  const added = [...types.keys()].filter((name) => !known.has(name));
  console.log(
    `${types.size} instance types, ${added.length} of them new${added.length > 0 ? `: ${added.join(', ')}` : ''}.`,
  );
}

runCommand(main);
