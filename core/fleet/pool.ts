/** Ports of pools: their instances, their Auto Scaling groups, and what is stored about both. */
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Endpoint, Placement, ServiceName } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { EventPorts } from '../history/record-event.ts';
import type { Workers } from '../workers/lease.ts';

/** Free or total resources of an instance. */
export type Resources = Placement['instance'];

/** An instance that has registered in the cluster. */
export interface Instance {
  readonly arn: string;
  /** Id in EC2. */
  readonly id: string;
  /** Name of its capacity provider. */
  readonly provider: string;
  readonly status: 'ACTIVE' | 'DRAINING' | 'OTHER';
  /** Number of tasks that run on the instance, start or stop. */
  readonly tasks: number;
  /** Resources that no task uses, without the number of further tasks. */
  readonly free: Placement['worker'];
}

/** EC2's reason why it did not launch an instance. */
export interface Refusal {
  /** Error code of EC2, such as `InsufficientInstanceCapacity`. */
  readonly code: string;
  readonly message: string;
}

export interface Launched {
  readonly ids: readonly string[];
  readonly refusals: readonly Refusal[];
  /** Why Auto Scaling refused the call itself, if it did. */
  readonly error?: string;
}

export interface Launch {
  readonly subnet: string;
  readonly count: number;
  /** Calls with the same token and the same arguments launch the instances once. */
  readonly token: string;
}

export interface InstanceGroups {
  /** Lists the instances of all pools in the cluster. */
  instances(cluster: string): Promise<Instance[]>;
  /** Reads the instances again. */
  describe(cluster: string, arns: readonly string[]): Promise<Instance[]>;
  /** Returns the names of the Auto Scaling groups of instances, by the ids of the instances. */
  groupsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the number of the service's tasks that wait for an instance of a pool. */
  waiting(service: ServiceName): Promise<number>;
  /** Returns the ids of the group's instances that start or run, and the number that the group should have. */
  group(name: string): Promise<{ readonly ids: readonly string[]; readonly desired: number }>;
  /**
   * Launches instances immediately.
   * @throws if it is unknown whether they were launched
   */
  launch(group: string, launch: Launch): Promise<Launched>;
  /** Keeps new tasks from the instance. */
  drain(cluster: string, arn: string): Promise<void>;
  /** Lets the instance run tasks again. */
  activate(cluster: string, arn: string): Promise<void>;
  /** Terminates the instance and decrements the number that its group should have. */
  end(id: string): Promise<void>;
}

export const poolStateSchema = z.object({
  /** Incremented by every change; 0 if nothing is stored. */
  version: z.number(),
  /** The launch whose result is unknown. It is repeated with its token. */
  launch: z.optional(z.object({ subnet: z.string(), count: z.number(), token: z.string(), at: z.number() })),
  /** Instances that have not registered in the cluster yet: when each was first seen, by its id. */
  starting: z.record(z.string(), z.number()),
  /** Until when nothing is launched, because EC2 refused a launch. */
  refusedUntil: z.optional(z.number()),
  /** Since when instances have no tasks, by their id. */
  empty: z.record(z.string(), z.number()),
  /**
   * Instances that the service has removed from the cluster's capacity, by their id. It stores each step before it
   * takes the step: `DRAINING` until it is sure that no task has come, then `ENDING`, or `RETURNING`. `ENDED` is stored
   * after the instance was ended.
   */
  marks: z.record(z.string(), z.enum(['DRAINING', 'ENDING', 'ENDED', 'RETURNING'])),
});
export type PoolState = z.infer<typeof poolStateSchema>;

export const unknownPool: PoolState = { version: 0, starting: {}, empty: {}, marks: {} };

export interface PoolStates {
  /** Returns the state of a group by a strongly consistent read. */
  read(group: string): Promise<PoolState>;
  /**
   * Stores the state with the next version.
   * @returns false if another writer has changed it since it was read
   */
  save(group: string, state: PoolState): Promise<boolean>;
}

export interface LaunchPorts extends EventPorts {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly groups: InstanceGroups;
  readonly poolStates: PoolStates;
  /** Name of the cluster, whose instances end also after the last endpoint of their pool is removed. */
  readonly cluster: string;
  /** Ids of the subnets of instances. Each launch names one of them. */
  readonly subnets: readonly string[];
  readonly newToken: () => string;
}

/** An endpoint whose instances the service launches and ends. */
export type Placed = Endpoint & { readonly placement: Placement };

/** The endpoints on one Auto Scaling group, with what they have in common. */
export interface Pool extends Omit<Placement, 'worker'> {
  readonly group: string;
  readonly cluster: string;
  readonly endpoints: readonly Placed[];
}
