/** What is known of the size of an endpoint's volume, as a line of the agent's log that CloudWatch makes metrics of. */

/** Names, as the alarm of the endpoint has them. */
export const volumeMetrics = {
  namespace: 'gpu-endpoints',
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
}

/** @param read the agent's environment */
export function volumeFrom(
  read: (name: keyof ReturnType<typeof volumeVariables>) => string | undefined,
): SeenVolume | undefined {
  const [gb, path] = [read('VOLUME_IN_GB'), read('VOLUME_PATH')];
  return gb === undefined || path === undefined ? undefined : { gb: Number(gb), path };
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
 * @param volumeInGb what the volume is meant to hold
 */
export function volumeFields(endpoint: string, measured: Measured, volumeInGb: number, now: number): object {
  const { namespace, dimension, usedInGb, usedPercent } = volumeMetrics;
  const used = measured.bytes / GB;
  const metrics = [
    { Name: usedInGb, Unit: 'Gigabytes' },
    { Name: usedPercent, Unit: 'Percent' },
  ];
  return {
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[dimension]], Metrics: metrics }],
    },
    [dimension]: endpoint,
    [usedInGb]: used,
    [usedPercent]: (100 * used) / volumeInGb,
    volume: { ...measured, volumeInGb },
  };
}

/** Who measures the volume of an endpoint, or has measured it, and until when nobody else does. */
export interface VolumeMark {
  readonly worker: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}
