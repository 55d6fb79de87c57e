/** What an hour of a machine of workers costs on demand. */
import type { PriceRow, Prices } from './prices.ts';

const UNITS_PER_VCPU = 1_024;
const MIB_PER_GB = 1_024;

export interface FargateSize {
  /** As ECS names it: `X86_64` or `ARM64`. */
  readonly architecture: string;
  /** CPU units; 1024 are one vCPU. */
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
}

export const vcpusOf = ({ cpu }: Pick<FargateSize, 'cpu'>): number => cpu / UNITS_PER_VCPU;

export const gbOf = ({ memory }: Pick<FargateSize, 'memory'>): number => memory / MIB_PER_GB;

/** The prices of one vCPU and of one GB. @returns undefined for an architecture that Fargate does not have */
function fargateRows({ perHour }: Prices, architecture: string): readonly [PriceRow, PriceRow] | undefined {
  if (architecture === 'X86_64') return [perHour.fargateVcpu, perHour.fargateGb];
  return architecture === 'ARM64' ? [perHour.fargateArmVcpu, perHour.fargateArmGb] : undefined;
}

/** Returns what a task on Fargate costs in US dollars, or undefined for a size or an architecture that is not known. */
export function fargateHour(prices: Prices, size: FargateSize): number | undefined {
  const rows = fargateRows(prices, size.architecture);
  const [vcpus, gb] = [vcpusOf(size), gbOf(size)];
  if (!rows || Number.isNaN(vcpus + gb)) return undefined;
  const [ofVcpu, ofGb] = rows;
  return vcpus * ofVcpu.price + gb * ofGb.price;
}

/**
 * Returns what a worker on an instance costs: of several instance types the dearest, because ECS chooses one later.
 * @param shares by instance type, the part of it that is asked for: 1 for all of it
 * @returns US dollars; undefined if the price of a type is not known, or if there is none
 */
export function instanceHour(
  { instanceHour: known }: Prices,
  shares: Readonly<Record<string, number>>,
): number | undefined {
  const hours = Object.entries(shares).map(([type, share]) => (known[type]?.price ?? Number.NaN) * share);
  const dearest = Math.max(...hours);
  return Number.isFinite(dearest) ? dearest : undefined;
}
