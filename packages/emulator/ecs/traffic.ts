/** The targets of a task in load balancers, from their registration to their last request. */
import type { Registration, TargetGroup, TargetPlace } from '../load-balancer/target-group.ts';
import type { Clock } from './clock.ts';

/** A port of a container that is a target of a group. */
export interface ServiceTarget {
  readonly container: string;
  /** Port in the container definition. */
  readonly port: number;
  readonly group: TargetGroup;
}

/**
 * State of a task's targets: `waiting` until all are healthy or one counts as unhealthy, and `none` for a task
 * without targets.
 */
export type TrafficState = 'none' | 'waiting' | 'healthy' | 'unhealthy';

export interface Traffic {
  /** Returns the state. A target that is unhealthy within the grace period counts as waiting. */
  state(): TrafficState;
  /**
   * Resolves with true when all targets are healthy, or immediately if there are none. Resolves with false if the
   * targets are deregistered first.
   */
  readonly begun: Promise<boolean>;
  /**
   * Registers the targets.
   * @param placeOf returns the place on this machine for a port of a container
   * @throws Error if a container port has no port on this machine
   */
  begin(placeOf: (container: string, port: number) => TargetPlace | undefined): void;
  /**
   * Deregisters the targets. Resolves when their requests have ended, the deregistration delay has passed, or the
   * time of `hurry` is over.
   */
  end(): Promise<void>;
  /**
   * Limits the time of the deregistration.
   * @param limit milliseconds in which `end` resolves
   */
  hurry(limit: number): void;
}

export interface TrafficOptions {
  readonly targets: readonly ServiceTarget[];
  /** Milliseconds after `begin` in which unhealthy targets do not stop the task. */
  readonly grace: number;
  readonly clock: Clock;
  /** Called when the state might have changed. */
  changed(): void;
}

export function createTraffic({ targets, grace, clock, changed }: TrafficOptions): Traffic {
  const { promise: begun, resolve: resolveBegun } = Promise.withResolvers<boolean>();
  const overdue = new AbortController();
  let registrations: readonly Registration[] = [];
  let graceEnds = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  if (targets.length === 0) resolveBegun(true);

  function state(): TrafficState {
    if (targets.length === 0) return 'none';
    const health = registrations.map((registration) => registration.health());
    if (health.includes('unhealthy') && clock.now() >= graceEnds) return 'unhealthy';
    return health.length > 0 && health.every((each) => each === 'healthy') ? 'healthy' : 'waiting';
  }

  function healthChanged(): void {
    if (state() === 'healthy') resolveBegun(true);
    changed();
  }

  return {
    state,
    begun,
    begin(placeOf) {
      const found = targets.map(({ container, port, group }) => {
        const here = placeOf(container, port);
        if (here !== undefined) return { group, here };
        throw new Error(`container ${container} has port ${port}, but the list of images does not name that port`);
      });
      graceEnds = clock.now() + grace;
      registrations = found.map(({ group, here }) => group.register(here, healthChanged));
      if (found.length > 0 && grace > 0)
        void clock.sleep(grace, overdue.signal).then(() => overdue.signal.aborted || changed());
    },
    async end() {
      resolveBegun(false);
      await Promise.all(registrations.map((registration) => registration.deregister(overdue.signal)));
      clearTimeout(timer);
      overdue.abort();
    },
    hurry(limit) {
      if (limit === Number.POSITIVE_INFINITY) return;
      clearTimeout(timer);
      timer = setTimeout(() => overdue.abort(), limit);
    },
  };
}
