/**
 * Types of what an endpoint requests of its capacity, what is refused, and what its workers get. They are plain data,
 * so that code without CDK can use them to register a task definition.
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

/** A field that is not supported, and a message that completes the sentence "`field` …". */
export type Refusal = readonly [field: keyof CapacityRequest, message: string];

/** Needs of a worker's task definition. Its network mode is always `awsvpc`: agent and worker share the loopback. */
export interface TaskNeeds {
  readonly compatibility: Compatibility.FARGATE | Compatibility.EC2;
  /** CPU units and MiB of the whole task. */
  readonly cpu: number;
  readonly memory: number;
  /** Hardware of the user's container: whole GPUs of NVIDIA, or devices of the instance. */
  readonly gpus?: number;
  readonly devices?: readonly Device[];
}

/** The capacity provider of the service. */
export type Provider = { readonly fargate: 'FARGATE' | 'FARGATE_SPOT' } | { readonly pool: string };

export interface Capacity {
  readonly task: TaskNeeds;
  readonly provider: Provider;
  /** Whether no two workers of the service may share an instance. */
  readonly alone: boolean;
  /** Decides what templates may request (`core/templates/capacity-rules.ts`). */
  readonly category: Category;
  readonly largestDiskInGb: number;
}

/** One kind of capacity. */
export interface Kind<Place> {
  refusals(request: CapacityRequest, place: Place): Iterable<Refusal>;
  /** @param request one without refusals */
  capacity(request: CapacityRequest, place: Place): Capacity;
}
