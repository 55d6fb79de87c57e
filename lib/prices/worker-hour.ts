/** The hourly on-demand price of a worker's machine. */
import type { PriceRow, Prices } from './prices.ts';

const UNITS_PER_VCPU = 1_024;
const MIB_PER_GB = 1_024;

export interface FargateSize {
  /** The architecture in the notation of ECS: `X86_64` or `ARM64`. */
  readonly architecture: string;
  /** CPU units; 1024 are one vCPU. */
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
}

export const vcpusOf = ({ cpu }: Pick<FargateSize, 'cpu'>): number => cpu / UNITS_PER_VCPU;

export const gbOf = ({ memory }: Pick<FargateSize, 'memory'>): number => memory / MIB_PER_GB;

/**
 * Returns the prices of one vCPU and of one GB of memory.
 * @returns undefined for an architecture that Fargate does not support
 */
function fargateRows({ perHour }: Prices, architecture: string): readonly [PriceRow, PriceRow] | undefined {
  if (architecture === 'X86_64') return [perHour.fargateVcpu, perHour.fargateGb];
  return architecture === 'ARM64' ? [perHour.fargateArmVcpu, perHour.fargateArmGb] : undefined;
}

/** Returns the hourly price of a task on Fargate in US dollars, or undefined for an unknown size or architecture. */
export function fargateHour(prices: Prices, size: FargateSize): number | undefined {
  const rows = fargateRows(prices, size.architecture);
  const [vcpus, gb] = [vcpusOf(size), gbOf(size)];
  if (!rows || Number.isNaN(vcpus + gb)) return undefined;
  const [ofVcpu, ofGb] = rows;
  return vcpus * ofVcpu.price + gb * ofGb.price;
}

/**
 * Returns the hourly price of a worker on an instance. If there are several instance types, it is the highest price,
 * because ECS chooses the type later.
 * @param shares the worker's share of an instance, by instance type: 1 for a whole instance
 * @returns US dollars; undefined if there are no types or the price of a type is unknown
 */
export function instanceHour(
  { instanceHour: known }: Prices,
  shares: Readonly<Record<string, number>>,
): number | undefined {
  const hours = Object.entries(shares).map(([type, share]) => (known[type]?.price ?? Number.NaN) * share);
  const dearest = Math.max(...hours);
  return Number.isFinite(dearest) ? dearest : undefined;
}
