/** What is known of the size of an endpoint's volume, as a line of the agent's log that CloudWatch makes metrics of. */
import { DEFAULT_DEPLOYMENT, DEPLOYMENT_VARIABLE } from '../deployment.ts';

/** Names, as the alarm of the endpoint has them. Their namespace is the name of the deployment. */
export const volumeMetrics = {
  dimension: 'Endpoint',
  usedInGb: 'VolumeUsedInGb',
  usedPercent: 'VolumeUsedPercent',
} as const;

const GB = 2 ** 30;

/** For the agent; `volumeFrom` reads them. An agent without them has no volume to measure. */
export const volumeVariables = (gb: number, path: string) => ({ VOLUME_IN_GB: String(gb), VOLUME_PATH: path });

export interface SeenVolume {
  /** What it is meant to hold, in GB of 2^30 bytes. */
  readonly gb: number;
  /** Where the agent sees it. */
  readonly path: string;
  /** The deployment that the endpoint is of. */
  readonly deployment: string;
}

/** @param read the agent's environment */
export function volumeFrom(
  read: (name: keyof ReturnType<typeof volumeVariables> | typeof DEPLOYMENT_VARIABLE) => string | undefined,
): SeenVolume | undefined {
  const [gb, path] = [read('VOLUME_IN_GB'), read('VOLUME_PATH')];
  // The task of a stack that was deployed before deployments had names has no such variable.
  const deployment = read(DEPLOYMENT_VARIABLE) ?? DEFAULT_DEPLOYMENT;
  return gb === undefined || path === undefined ? undefined : { gb: Number(gb), path, deployment };
}

/** What was found in a volume. */
export interface Measured {
  /** That its files take, on the disk. */
  readonly bytes: number;
  /** Files and folders that were looked at. */
  readonly entries: number;
  /** Those of them that could not be read. */
  readonly unreadable: number;
  /** Whether there are no more; else `bytes` is what it holds at least. */
  readonly complete: boolean;
}

/**
 * The fields of the line, in CloudWatch's embedded metric format: what `_aws` names becomes a metric, the rest stays text.
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
