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

/**
 * Returns the hourly price of a task on Fargate in US dollars.
 * @returns undefined for an architecture that Fargate does not support
 */
export function fargateHour(prices: Prices, size: FargateSize): number | undefined {
  const rows = fargateRows(prices, size.architecture);
  if (!rows) return undefined;
  const [vcpu, gb] = rows;
  return vcpusOf(size) * vcpu.price + gbOf(size) * gb.price;
}

/**
 * Returns the hourly price of a worker on an instance. If there are several instance types, it is the highest price,
 * because ECS chooses the type later.
 * @param shares the worker's share of an instance, by instance type: 1 for a whole instance
 * @returns US dollars; undefined if there are no types or the price of a type is unknown
 */
export function instanceHour(
  { instanceHour: rows }: Prices,
  shares: Readonly<Record<string, number>>,
): number | undefined {
  let highest: number | undefined;
  for (const [type, share] of Object.entries(shares)) {
    const row = rows[type];
    if (row === undefined) return undefined;
    highest = Math.max(highest ?? 0, row.price * share);
  }
  return highest;
}
