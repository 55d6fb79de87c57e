/**
 * Types for the capacity that endpoints request, for refusals, and for the resources of workers. They are plain data,
 * so that code without CDK can use them to register a task definition.
 */
import type { Compatibility, Device } from 'aws-cdk-lib/aws-ecs';
import type { Category } from '../../core/endpoints/endpoint.ts';

/** The fields of an endpoint's declaration that determine the size and the capacity of a worker. */
export interface CapacityRequest {
  /** CPU units; 1024 are one vCPU. */
  readonly cpu?: number | undefined;
  /** MiB. */
  readonly memory?: number | undefined;
  readonly gpus?: number | undefined;
  /** MiB of `/dev/shm`. */
  readonly sharedMemorySize?: number | undefined;
  readonly spot?: boolean | undefined;
  readonly containerDiskInGb?: number | undefined;
}

/** A field that is not supported, and a message that completes the sentence "`field` …". */
export type Refusal = readonly [field: keyof CapacityRequest, message: string];

/**
 * Requirements of a worker's task definition. Its network mode is always `awsvpc`: agent and worker share the
 * loopback interface.
 */
export interface TaskNeeds {
  readonly compatibility: Compatibility.FARGATE | Compatibility.EC2;
  /** CPU units and MiB of the whole task. */
  readonly cpu: number;
  readonly memory: number;
  /** Hardware of the user's container: whole NVIDIA GPUs, or devices of the instance. */
  readonly gpus?: number;
  readonly devices?: readonly Device[];
  /**
   * MiB of `/dev/shm` in the user's container.
   * @default - the size that Fargate sets
   */
  readonly sharedMemory?: number;
}

/** The capacity provider of the service. */
export type Provider = { readonly fargate: 'FARGATE' | 'FARGATE_SPOT' } | { readonly pool: string };

export interface Capacity {
  readonly task: TaskNeeds;
  readonly provider: Provider;
  /** Whether each instance runs at most one worker of the service. */
  readonly alone: boolean;
  /** Determines which templates are supported (`core/templates/capacity-rules.ts`). */
  readonly category: Category;
  readonly largestDiskInGb: number;
}

/** A kind of capacity. */
export interface Kind<Place> {
  refusals(request: CapacityRequest, place: Place): Iterable<Refusal>;
  /** @param request a request that has no refusals */
  capacity(request: CapacityRequest, place: Place): Capacity;
}
