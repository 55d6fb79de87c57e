/** The kinds of capacity: Fargate, and pools with NVIDIA or AMD GPUs. */
import { amd } from './amd.ts';
import type { Capacity, CapacityRequest, Refusal } from './capacity.ts';
import { cpu } from './cpu.ts';
import { nvidia } from './nvidia.ts';
import type { Pool } from './pool-declaration.ts';

/** The value of `capacity` for Fargate. Pools cannot have this name. */
export const FARGATE = 'cpu';

const kinds = { nvidia, amd };

/** @param pool pool that the endpoint names, or undefined for Fargate */
export const refusalsOf = (request: CapacityRequest, pool: Pool | undefined): Iterable<Refusal> =>
  pool ? kinds[pool.kind].refusals(request, pool) : cpu.refusals(request, undefined);

/** @param pool pool that the endpoint names, or undefined for Fargate */
export const capacityOf = (request: CapacityRequest, pool: Pool | undefined): Capacity =>
  pool ? kinds[pool.kind].capacity(request, pool) : cpu.capacity(request, undefined);
