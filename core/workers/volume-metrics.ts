/** The size of an endpoint's volume, as an agent log line from which CloudWatch creates metrics. */
import { DEPLOYMENT_VARIABLE } from '../deployment.ts';

/** Names of the metrics that the endpoint's alarm uses. Their namespace is the name of the deployment. */
export const volumeMetrics = {
  dimension: 'Endpoint',
  usedInGb: 'VolumeUsedInGb',
  usedPercent: 'VolumeUsedPercent',
} as const;

const GB = 2 ** 30;

/**
 * Returns the agent's variables, which `volumeFrom` reads. An agent without these variables has no volume to
 * measure.
 */
export const volumeVariables = (gb: number, path: string) => ({ VOLUME_IN_GB: String(gb), VOLUME_PATH: path });

export interface SeenVolume {
  /** Intended size, in GB of 2^30 bytes. */
  readonly gb: number;
  /** Mount path of the volume in the agent. */
  readonly path: string;
  /** Name of the endpoint's deployment. */
  readonly deployment: string;
}

/**
 * Reads the settings of the volume, if there is one.
 * @param read reads a variable of the agent
 */
export function volumeFrom(
  read: (name: keyof ReturnType<typeof volumeVariables> | typeof DEPLOYMENT_VARIABLE) => string | undefined,
): SeenVolume | undefined {
  const [gb, path, deployment] = [read('VOLUME_IN_GB'), read('VOLUME_PATH'), read(DEPLOYMENT_VARIABLE)];
  if (gb === undefined || path === undefined || deployment === undefined) return undefined;
  return { gb: Number(gb), path, deployment };
}

/** The measured use of a volume. */
export interface Measured {
  /** Bytes of the volume's files on the disk. */
  readonly bytes: number;
  /** Number of files and folders that were counted. */
  readonly entries: number;
  /** Number of these entries that could not be read. */
  readonly unreadable: number;
  /** Whether all entries were counted; otherwise `bytes` is a lower bound. */
  readonly complete: boolean;
}

/**
 * Returns the fields of the log line in CloudWatch's embedded metric format. Each field that `_aws` names becomes a
 * metric.
 */
export function volumeFields(
  endpoint: string,
  measured: Measured,
  { gb: volumeInGb, deployment }: Omit<SeenVolume, 'path'>,
  now: number,
): object {
  const { dimension, usedInGb, usedPercent } = volumeMetrics;
  const used = measured.bytes / GB;
  const metrics = [
    { Name: usedInGb, Unit: 'Gigabytes' },
    { Name: usedPercent, Unit: 'Percent' },
  ];
  return {
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [{ Namespace: deployment, Dimensions: [[dimension]], Metrics: metrics }],
    },
    [dimension]: endpoint,
    [usedInGb]: used,
    [usedPercent]: (100 * used) / volumeInGb,
    volume: { ...measured, volumeInGb },
  };
}
