/**
 * What an endpoint asks of the capacity that it runs on, what is refused of it, and what becomes of the rest. Plain data,
 * so that whoever registers a task definition can use it, also when that is not CDK.
 */
import type { Compatibility, Device } from 'aws-cdk-lib/aws-ecs';
import type { Category } from '../../core/endpoints/endpoint.ts';

/** The fields of an endpoint's declaration that are about the size and the place of a worker. */
export interface CapacityRequest {
  /** CPU units; 1024 are one vCPU. */
  readonly cpu?: number | undefined;
  /** MiB. */
  readonly memory?: number | undefined;
  readonly gpus?: number | undefined;
  readonly spot?: boolean | undefined;
  readonly containerDiskInGb?: number | undefined;
}

/** A field that cannot be honoured, and what completes the sentence "`field` …". */
export type Refusal = readonly [field: keyof CapacityRequest, message: string];

/** What a worker's task definition needs. Its network mode is always `awsvpc`: agent and worker share the loopback. */
export interface TaskNeeds {
  readonly compatibility: Compatibility.FARGATE | Compatibility.EC2;
  /** CPU units and MiB of the whole task. */
  readonly cpu: number;
  readonly memory: number;
  /** What the user's container gets: whole GPUs of NVIDIA, or devices of the instance. */
  readonly gpus?: number;
  readonly devices?: readonly Device[];
}

/** Whom the service asks for room. */
export type Provider = { readonly fargate: 'FARGATE' | 'FARGATE_SPOT' } | { readonly pool: string };

export interface Capacity {
  readonly task: TaskNeeds;
  readonly provider: Provider;
  /** Whether no two workers of the service may share an instance. */
  readonly alone: boolean;
  /** What templates may ask of it (`core/templates/capacity-rules.ts`). */
  readonly category: Category;
  readonly largestDiskInGb: number;
}

/** One kind of capacity. */
export interface Kind<Place> {
  refusals(request: CapacityRequest, place: Place): Iterable<Refusal>;
  /** @param request one that nothing was refused of */
  capacity(request: CapacityRequest, place: Place): Capacity;
}
