/** The sizes that Fargate offers: each number of CPU units allows certain amounts of memory. */

const GIB = 1024;

function steps(first: number, last: number, step: number): number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, index) => first + index * step);
}

/** The memory in MiB that is allowed with each number of CPU units (1024 are one vCPU). */
const memoryByCpu: Readonly<Record<number, readonly number[]>> = {
  256: [GIB / 2, GIB, 2 * GIB],
  512: steps(GIB, 4 * GIB, GIB),
  1024: steps(2 * GIB, 8 * GIB, GIB),
  2048: steps(4 * GIB, 16 * GIB, GIB),
  4096: steps(8 * GIB, 30 * GIB, GIB),
  8192: steps(16 * GIB, 60 * GIB, 4 * GIB),
  16384: steps(32 * GIB, 120 * GIB, 8 * GIB),
};

export const cpuUnits: readonly number[] = Object.keys(memoryByCpu).map(Number);

/** Returns the amounts of memory, in MiB, that a task with this number of CPU units can have. */
export const memoryFor = (cpu: number): readonly number[] => memoryByCpu[cpu] ?? [];
