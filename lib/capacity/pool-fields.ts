/** Written by `npm run generate` from the schema of the YAML files. */

/**
 * The fields of a file in `capacity/`.
 */
export interface PoolFields {
  /**
   * Vendor of the GPUs.
   */
  readonly kind: 'nvidia' | 'amd';
  /**
   * EC2 instance types, tried in this order; for Spot Instances, AWS chooses by price and available capacity.
   * Only types of the `kind`, each type once. With `kind: amd`, a single type.
   */
  readonly instanceTypes: readonly string[];
  /**
   * Whether the instances are Spot Instances, which AWS can reclaim after a warning of two minutes.
   * @default false
   */
  readonly spot?: boolean;
  /**
   * Maximum number of instances.
   * Allowed: 1 to 1000.
   * @default 10
   */
  readonly maxInstances?: number;
  /**
   * Number of stopped instances that are started before new instances are launched.
   * Allowed: 0 to 1000.
   * At most `maxInstances`. Only 0 with `spot: true`, and with several `instanceTypes`.
   * @default 0
   */
  readonly warmInstances?: number;
  /**
   * How long an instance without workers is kept.
   * Allowed: 0 to 900000 ms.
   * Not with `warmInstances`: ECS then keeps an instance for 15 minutes.
   * @default - 180000
   */
  readonly emptyFor?: number;
  /**
   * Where images and the files of containers are: with `ebs`, on a volume; with `local`, on the disks of the
   * instance itself, which are faster and included in its price.
   * Only `ebs` with `warmInstances`, and with types without disks of their own.
   * @default "ebs"
   */
  readonly disk?: 'ebs' | 'local';
  /**
   * Disk that the workers of an instance share for their data and images.
   * Allowed: 1 to 16000 GB.
   * Not with `disk: local`.
   * @default - 100, or with `disk: local` 95 % of the disks of the smallest type
   */
  readonly diskInGb?: number;
  /**
   * MiB/s that the volume reads or writes; a large image is unpacked at this rate.
   * Allowed: 125 to 1000.
   * Not with `disk: local`.
   * @default - 500
   */
  readonly diskThroughput?: number;
  /**
   * With `none`, an instance can run workers of several endpoints; with `endpoint`, only one endpoint can name the
   * pool.
   * @default "none"
   */
  readonly isolation?: 'none' | 'endpoint';
  /**
   * AMI of the instances.
   * Required with `kind: amd`.
   * @default - with `kind: nvidia`, the newest ECS image for GPUs of Amazon Linux 2023 at the deployment
   */
  readonly image?: string;
  /**
   * Name of the root volume in the AMI.
   * @default "/dev/xvda"
   */
  readonly rootDevice?: string;
}
