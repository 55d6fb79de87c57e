/** The kinds of capacity: Fargate, and pools with GPUs of NVIDIA or of AMD. */
import { amd } from './amd.ts';
import type { Capacity, CapacityRequest, Refusal } from './capacity.ts';
import { cpu } from './cpu.ts';
import { nvidia } from './nvidia.ts';
import type { Pool } from './pool-declaration.ts';

/** The value of `capacity` for Fargate; no pool may have this name. */
export const FARGATE = 'cpu';

const kinds = { nvidia, amd };

/** @param pool the one that the endpoint names, or undefined for Fargate */
export const refusalsOf = (request: CapacityRequest, pool: Pool | undefined): Iterable<Refusal> =>
  pool ? kinds[pool.kind].refusals(request, pool) : cpu.refusals(request, undefined);

/** @param pool the one that the endpoint names, or undefined for Fargate */
export const capacityOf = (request: CapacityRequest, pool: Pool | undefined): Capacity =>
  pool ? kinds[pool.kind].capacity(request, pool) : cpu.capacity(request, undefined);
