/** The sizes that Fargate offers: each number of CPU units goes with some amounts of memory. */

const GIB = 1024;

interface Memory {
  /** Smallest and largest amount in MiB. */
  readonly min: number;
  readonly max: number;
  /** From one amount to the next, in MiB. */
  readonly step: number;
}

/** CPU units (1024 are one vCPU) and the memory that goes with them. */
const memoryByCpu: Readonly<Record<number, Memory>> = {
  512: { min: GIB, max: 4 * GIB, step: GIB },
  1024: { min: 2 * GIB, max: 8 * GIB, step: GIB },
  2048: { min: 4 * GIB, max: 16 * GIB, step: GIB },
  4096: { min: 8 * GIB, max: 30 * GIB, step: GIB },
  8192: { min: 16 * GIB, max: 60 * GIB, step: 4 * GIB },
  16384: { min: 32 * GIB, max: 120 * GIB, step: 8 * GIB },
};

/** The one size whose amounts are not evenly spaced. */
const SMALLEST_CPU = 256;
const SMALLEST_MEMORY: readonly number[] = [512, GIB, 2 * GIB];

export const cpuUnits: readonly number[] = [SMALLEST_CPU, ...Object.keys(memoryByCpu).map(Number)];

/** Whether a task with so many CPU units can have so much memory, in MiB. */
export function goesWith(cpu: number, memory: number): boolean {
  if (cpu === SMALLEST_CPU) return SMALLEST_MEMORY.includes(memory);
  const sizes = memoryByCpu[cpu];
  return sizes !== undefined && memory >= sizes.min && memory <= sizes.max && (memory - sizes.min) % sizes.step === 0;
}

/** The memory that goes with so many CPU units, in words. */
export function memoryFor(cpu: number): string {
  if (cpu === SMALLEST_CPU) return SMALLEST_MEMORY.join(', ');
  const sizes = memoryByCpu[cpu];
  return sizes ? `from ${sizes.min} to ${sizes.max} in steps of ${sizes.step}` : 'nothing';
}
