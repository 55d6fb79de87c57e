/**
 * Reads the pools of instances that Git declares: `capacity/<name>.yaml`, one file each. Endpoints refer to their
 * pool by name.
 */
import * as z from 'zod/mini';
import { declaredBy, readDeclaredFiles } from '../settings/declared-files.ts';
import { fieldTexts } from '../settings/field-text.ts';
import { wholeNumber } from '../settings/settings.ts';
import { type InstanceType, instanceType, namesOf } from './instance-types.ts';
import type { PoolFields } from './pool-fields.ts';

const MAX_INSTANCES = 1000;
const MAX_DISK_IN_GB = 16_000;
const DEFAULT_DISK = 100;
/** Bounds of `emptyFor` in milliseconds. ECS itself ends an instance that was empty for 15 minutes. */
const MAX_EMPTY_FOR = 900_000;
const DEFAULT_EMPTY = 180_000;
/** Throughput of a gp3 volume in MiB/s. The least is included in its price. */
const throughputLimits = { min: 125, max: 1000, default: 500 } as const;
/** Share of the instance's own disks that remains for images and workers after formatting. */
const FORMATTED = 0.95;
/** Lower-case letters, digits and inner hyphens, beginning with a letter. `cpu` is not a pool: it means Fargate. */
const POOL_NAME = /^(?!cpu$)[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** Completes the sentence "the file name …". */
export const poolNameMust =
  'must be a name of at most 32 lower-case letters, digits and inner hyphens that begins with a letter, and not cpu';
const kindMust = 'must be one of nvidia, amd';
const typesMust = 'must be a list of EC2 instance types, such as [g6.xlarge, g5.xlarge]';
const imageMust = 'must be the id of an AMI, such as ami-0123456789abcdef0';
const isolationMust = 'must be one of none, endpoint';
const diskMust = 'must be one of ebs, local';
const deviceMust = 'must be the name of a device, such as /dev/xvda';

const fields = z.strictObject({
  kind: z.literal(['nvidia', 'amd'], kindMust).register(fieldTexts, {
    description: 'Vendor of the GPUs.',
    guide: 'capacity',
  }),
  instanceTypes: z.array(z.string(typesMust), typesMust).check(z.minLength(1, typesMust)).register(fieldTexts, {
    description:
      'EC2 instance types, tried in this order; for Spot Instances, AWS chooses by price and available capacity.',
    condition: 'Only [types of the `kind`](#instance-types), each type once. With `kind: amd`, a single type.',
    guide: 'capacityPools',
  }),
  spot: z._default(z.boolean('must be true or false'), false).register(fieldTexts, {
    description: 'Whether the instances are Spot Instances, which AWS can reclaim after a warning of two minutes.',
    guide: 'capacitySpot',
  }),
  maxInstances: z._default(wholeNumber(1, MAX_INSTANCES), 10).register(fieldTexts, {
    description: 'Maximum number of instances.',
    guide: 'capacity',
  }),
  warmInstances: z._default(wholeNumber(0, MAX_INSTANCES), 0).register(fieldTexts, {
    description: 'Number of stopped instances that are started before new instances are launched.',
    condition: 'At most `maxInstances`. Only 0 with `spot: true`, and with several `instanceTypes`.',
    guide: 'capacityWarm',
  }),
  emptyFor: z.optional(wholeNumber(0, MAX_EMPTY_FOR)).register(fieldTexts, {
    description: 'How long an instance without workers is kept.',
    unit: 'ms',
    without: `${DEFAULT_EMPTY}`,
    condition: 'Not with `warmInstances`: ECS then keeps an instance for 15 minutes.',
    guide: 'capacityEmpty',
  }),
  disk: z._default(z.literal(['ebs', 'local'], diskMust), 'ebs').register(fieldTexts, {
    description:
      'Where images and the files of containers are: with `ebs`, on a volume; with `local`, on the disks of the instance itself, which are faster and included in its price.',
    condition: 'Only `ebs` with `warmInstances`, and with types without disks of their own.',
    guide: 'capacityDisk',
  }),
  diskInGb: z.optional(wholeNumber(1, MAX_DISK_IN_GB)).register(fieldTexts, {
    description: 'Disk that the workers of an instance share for their data and images.',
    unit: 'GB',
    without: `${DEFAULT_DISK}, or with \`disk: local\` ${FORMATTED * 100} % of the disks of the smallest type`,
    condition: 'Not with `disk: local`.',
    guide: 'capacitySize',
  }),
  diskThroughput: z.optional(wholeNumber(throughputLimits.min, throughputLimits.max)).register(fieldTexts, {
    description: 'MiB/s that the volume reads or writes; a large image is unpacked at this rate.',
    without: `${throughputLimits.default}`,
    condition: 'Not with `disk: local`.',
    guide: 'capacityDisk',
  }),
  isolation: z._default(z.literal(['none', 'endpoint'], isolationMust), 'none').register(fieldTexts, {
    description:
      'With `none`, an instance can run workers of several endpoints; with `endpoint`, only one endpoint can name the pool.',
    guide: 'capacityIsolation',
  }),
  image: z.optional(z.string(imageMust).check(z.regex(/^ami-[0-9a-f]{8,17}$/, imageMust))).register(fieldTexts, {
    description: 'AMI of the instances.',
    without: 'with `kind: nvidia`, the newest ECS image for GPUs of Amazon Linux 2023 at the deployment',
    condition: 'Required with `kind: amd`.',
    guide: 'capacityAmd',
  }),
  rootDevice: z
    ._default(z.string(deviceMust).check(z.regex(/^\/dev\/\w+$/, deviceMust)), '/dev/xvda')
    .register(fieldTexts, {
      description: 'Name of the root volume in the AMI.',
      guide: 'capacityAmd',
    }),
});

type Fields = z.output<typeof fields>;

export type Pool = Fields & {
  /** The file name without its extension, to which the field `capacity` of endpoints refers. */
  readonly id: string;
  readonly diskInGb: number;
  readonly diskThroughput: number;
  readonly emptyFor: number;
};

type Field = keyof Fields;

/** Finds fields that contradict each other. Yields the field, and a message that completes the sentence "`field` …". */
function* contradictions({ kind, instanceTypes, image, ...pool }: Fields): Generator<readonly [Field, string]> {
  const known = namesOf(kind);
  if (instanceTypes.some((name) => !known.includes(name)))
    yield ['instanceTypes', `must contain only ${known.join(', ')} with \`kind: ${kind}\``];
  else if (new Set(instanceTypes).size < instanceTypes.length)
    yield ['instanceTypes', 'must contain each type only once'];
  else if (kind === 'amd' && instanceTypes.length > 1)
    yield ['instanceTypes', 'must be a single type with `kind: amd`: a worker is as large as its instance'];
  if (kind === 'amd' && image === undefined)
    yield ['image', `${imageMust}, with \`kind: amd\`: AWS does not provide an ECS image with AMD drivers`];
  if (pool.warmInstances > pool.maxInstances)
    yield ['warmInstances', `must be at most \`maxInstances\`, which is ${pool.maxInstances}`];
  if (pool.warmInstances > 0 && pool.spot)
    yield ['warmInstances', 'must be 0 with `spot: true`: a warm pool cannot contain Spot Instances'];
  if (pool.warmInstances > 0 && instanceTypes.length > 1)
    yield ['warmInstances', 'must be 0 with several `instanceTypes`: a warm pool contains a single type'];
  if (pool.warmInstances > 0 && pool.emptyFor !== undefined)
    yield ['emptyFor', 'must be omitted with `warmInstances`: ECS alone launches and ends instances of such a pool'];
  if (pool.disk === 'local')
    yield* localDiskContradictions(
      instanceTypes.filter((name) => known.includes(name)),
      pool,
    );
}

/** Finds fields that contradict `disk: local`. */
function* localDiskContradictions(
  types: readonly string[],
  { warmInstances, ...pool }: Pick<Fields, 'warmInstances' | 'diskInGb' | 'diskThroughput'>,
): Generator<readonly [Field, string]> {
  const without = types.filter((name) => instanceType(name).localGb === 0);
  if (without.length > 0) yield ['disk', `must be ebs with ${without.join(', ')}, which have no disks of their own`];
  if (warmInstances > 0) yield ['disk', 'must be ebs with `warmInstances`: a stopped instance loses its own disks'];
  for (const field of ['diskInGb', 'diskThroughput'] as const)
    if (pool[field] !== undefined) yield [field, 'must be omitted with `disk: local`, which uses all of the disks'];
}

export const poolSchema = fields.check(
  z.superRefine((pool, context) => {
    for (const [field, message] of contradictions(pool))
      context.addIssue({ code: 'custom', path: [field], message, input: pool[field] });
  }),
);

/** Returns the instance types of the pool, in the order of the file. */
export const typesOf = ({ instanceTypes }: Pick<Pool, 'instanceTypes'>): InstanceType[] =>
  instanceTypes.map(instanceType);

/** Adds the defaults, and the disk on which the workers of every instance type can rely. */
function withDefaults<Declared extends Fields>(
  declared: Declared,
): Declared & Pick<Pool, 'diskInGb' | 'diskThroughput' | 'emptyFor'> {
  const smallest = Math.min(...typesOf(declared).map(({ localGb }) => localGb));
  const { disk, diskThroughput = throughputLimits.default, emptyFor = DEFAULT_EMPTY } = declared;
  const diskInGb = disk === 'local' ? Math.floor(smallest * FORMATTED) : (declared.diskInGb ?? DEFAULT_DISK);
  return { ...declared, diskInGb, diskThroughput, emptyFor };
}

const kind = { id: POOL_NAME, idMust: poolNameMust, schema: poolSchema };

/**
 * Reads all declared pools, in the order of their names.
 * @param root parent of `capacity/`
 * @throws InvalidDeclarations with all problems of all files
 */
export function readPools(root: string): Pool[] {
  return readDeclaredFiles(root, { folder: 'capacity', ...kind }).map(withDefaults);
}

/**
 * Returns a pool that is not in a file.
 * @throws InvalidDeclarations with all problems
 */
export const declarePool = (id: string, declared: PoolFields): Pool =>
  withDefaults(declaredBy('pool', id, declared, kind));
