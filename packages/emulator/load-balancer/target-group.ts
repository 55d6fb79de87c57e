/** A target group: selects the target of each request, and drains targets that are deregistered. */
import { Agent } from 'node:http';
import { type Clock, systemClock } from '../ecs/clock.ts';
import { type TargetCheck, type TargetHealth, watchTarget } from './target-health.ts';

export interface TargetGroupDefinition {
  readonly arn: string;
  readonly check: TargetCheck;
  /** Milliseconds that a target gets to finish its requests after it is deregistered. */
  readonly deregistrationDelay: number;
  readonly algorithm: 'round_robin' | 'least_outstanding_requests';
}

/** The place of a target on this machine. */
export interface TargetPlace {
  /** An address of the loopback interface. */
  readonly host: string;
  readonly port: number;
}

/** A target that gets a request. */
export interface ChosenTarget extends TargetPlace {
  /** Agent that keeps connections to the target open. */
  readonly agent: Agent;
  /**
   * Counts a request.
   * @returns function that ends the request
   */
  begin(): () => void;
}

export interface Registration {
  health(): TargetHealth;
  /**
   * Deregisters the target, which gets no new requests.
   * @returns when its requests have ended, the deregistration delay has passed, or `hurry` is aborted
   */
  deregister(hurry: AbortSignal): Promise<void>;
}

export interface TargetGroup {
  readonly arn: string;
  /** Listeners that forward to the group. ECS refuses a service if a group has no listener. */
  readonly listeners: Set<string>;
  /**
   * Adds a target, which gets requests when it is healthy.
   * @param changed is called when the target's health changes
   */
  register(place: TargetPlace, changed: () => void): Registration;
  /** Returns the target for the next request, or undefined if no target is healthy. */
  choose(): ChosenTarget | undefined;
  /** Returns the number of healthy targets. */
  healthy(): number;
}

interface Target extends ChosenTarget {
  open(): number;
  /** Resolves when the target has no requests. */
  idle(): Promise<void>;
}

function createTarget(place: TargetPlace): Target {
  const agent = new Agent({ keepAlive: true });
  const waiting = new Set<() => void>();
  let open = 0;
  return {
    ...place,
    agent,
    begin() {
      open += 1;
      return () => {
        open -= 1;
        if (open === 0) for (const resolve of waiting) resolve();
      };
    },
    open: () => open,
    async idle() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      if (open === 0) resolve();
      await promise;
      waiting.delete(resolve);
    },
  };
}

export function createTargetGroup(definition: TargetGroupDefinition, clock: Clock = systemClock): TargetGroup {
  const { arn, check, deregistrationDelay, algorithm } = definition;
  /** The healthy targets. */
  let serving: readonly Target[] = [];
  let turn = 0;

  /** Waits for the requests of a target that gets no new ones. */
  async function drain(target: Target, hurry: AbortSignal): Promise<void> {
    const over = new AbortController();
    const overdue = clock.sleep(deregistrationDelay, AbortSignal.any([hurry, over.signal]));
    await Promise.race([target.idle(), overdue]);
    over.abort();
    if (target.open() === 0) target.agent.destroy();
  }

  return {
    arn,
    listeners: new Set(),
    register(place, changed) {
      const target = createTarget(place);
      const leaving = new AbortController();
      let health: TargetHealth = 'initial';
      void watchTarget({
        ...place,
        check,
        clock,
        stop: leaving.signal,
        changed(present) {
          health = present;
          serving = serving.filter((each) => each !== target);
          if (health === 'healthy') serving = [...serving, target];
          changed();
        },
      });
      return {
        health: () => health,
        deregister(hurry) {
          leaving.abort();
          serving = serving.filter((each) => each !== target);
          return drain(target, hurry);
        },
      };
    },
    healthy: () => serving.length,
    choose() {
      turn += 1;
      if (algorithm === 'round_robin') return serving[turn % serving.length];
      return serving.reduce<Target | undefined>(
        (least, each) => (least === undefined || each.open() < least.open() ? each : least),
        undefined,
      );
    },
  };
}
