/**
 * Reads the pools of instances that Git declares: `capacity/<name>.yaml`, one file each. Endpoints refer to their
 * pool by name.
 */
import * as z from 'zod/mini';
import { readDeclaredFiles, repository } from '../settings/declared-files.ts';
import { wholeNumber } from '../settings/settings.ts';
import { type InstanceType, instanceType, namesOf } from './instance-types.ts';

const MOST_INSTANCES = 1000;
const LARGEST_DISK = 16_000;
/** Lower-case letters, digits and inner hyphens, beginning with a letter. `cpu` is not a pool: it means Fargate. */
const POOL_NAME = /^(?!cpu$)[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

const kindMust = 'must be one of nvidia, amd';
const typesMust = 'must be a list of EC2 instance types, such as [g6.xlarge, g5.xlarge]';
const imageMust = 'must be the id of an AMI, such as ami-0123456789abcdef0';
const isolationMust = 'must be one of none, endpoint';
const deviceMust = 'must be the name of a device, such as /dev/xvda';

const fields = z.strictObject({
  /** Vendor of the GPUs. */
  kind: z.literal(['nvidia', 'amd'], kindMust),
  /** EC2 instance types, tried in this order. For Spot Instances, AWS chooses by price and available capacity. */
  instanceTypes: z.array(z.string(typesMust), typesMust).check(z.minLength(1, typesMust)),
  /** Whether the instances are Spot Instances, which AWS can reclaim after a warning of two minutes. */
  spot: z._default(z.boolean('must be true or false'), false),
  maxInstances: z._default(wholeNumber(1, MOST_INSTANCES), 10),
  /** Number of stopped instances that are started before new ones are launched. */
  warmInstances: z._default(wholeNumber(0, MOST_INSTANCES), 0),
  /** Disk in GB that the workers of an instance share for their data and images. */
  diskInGb: z._default(wholeNumber(1, LARGEST_DISK), 100),
  /**
   * `none`: an instance can run workers of several endpoints. `endpoint`: only one endpoint may name the pool.
   */
  isolation: z._default(z.literal(['none', 'endpoint'], isolationMust), 'none'),
  image: z.optional(z.string(imageMust).check(z.regex(/^ami-[0-9a-f]{8,17}$/, imageMust))),
  /** Name of the root volume in the AMI. */
  rootDevice: z._default(z.string(deviceMust).check(z.regex(/^\/dev\/\w+$/, deviceMust)), '/dev/xvda'),
});

type Fields = z.output<typeof fields>;

export type Pool = Fields & {
  /** The file name without its extension, to which the field `capacity` of endpoints refers. */
  readonly id: string;
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
}

const poolSchema = fields.check(
  z.superRefine((pool, context) => {
    for (const [field, message] of contradictions(pool))
      context.addIssue({ code: 'custom', path: [field], message, input: pool[field] });
  }),
);

/** Returns the instance types of the pool, in the order of the file. */
export const typesOf = ({ instanceTypes }: Pool): InstanceType[] => instanceTypes.map(instanceType);

/**
 * Reads all declared pools, in the order of their names.
 * @param root parent of `capacity/`
 * @throws InvalidDeclarations with all problems of all files
 */
export function readPools(root: string = repository): Pool[] {
  return readDeclaredFiles(root, {
    folder: 'capacity',
    id: POOL_NAME,
    idMust:
      'must be a name of at most 32 lower-case letters, digits and inner hyphens that begins with a letter, and not cpu',
    schema: poolSchema,
  });
}
