/** The health checks of one target. */
import { get } from 'node:http';
import { type Clock, systemClock } from '../ecs/clock.ts';

export type TargetHealth = 'initial' | 'healthy' | 'unhealthy';

export interface TargetCheck {
  readonly path: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly timeout: number;
  /** Consecutive successes that make an unhealthy target healthy. */
  readonly healthyThreshold: number;
  /** Consecutive failures that make a healthy target unhealthy. */
  readonly unhealthyThreshold: number;
  /** Accepted statuses in the format of a target group, such as `200` or `200-299,404`. */
  readonly statuses: string;
}

export interface TargetWatch {
  readonly host: string;
  readonly port: number;
  readonly check: TargetCheck;
  readonly clock: Clock;
  /** Aborted when the checks must stop. */
  readonly stop: AbortSignal;
  changed(health: TargetHealth): void;
}

/**
 * Milliseconds between the checks of a target in its initial state. One success makes a new target healthy, so a
 * short interval only changes how soon it gets requests. A local start must not wait for 30 s.
 */
const FIRST_CHECKS = 10;

const isAmong = (statuses: string, status: number): boolean =>
  statuses.split(',').some((range) => {
    const [min, max = min] = range.split('-').map(Number);
    return status >= Number(min) && status <= Number(max);
  });

/** Returns whether the target passes one check. */
function passes({ host, port, check, stop }: TargetWatch): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(check.timeout)]);
  const headers = { 'User-Agent': 'ELB-HealthChecker/2.0', Connection: 'close' };
  const sent = get({ host, port, path: check.path, headers, agent: false, signal }, (response) => {
    response.on('error', () => undefined).resume();
    resolve(isAmong(check.statuses, response.statusCode ?? 0));
  });
  sent.on('error', () => resolve(false));
  return promise;
}

/** Returns the health of a target after a check, and the number of consecutive checks that contradict it. */
function after(watch: TargetWatch, before: TargetHealth, contradictions: number, passed: boolean, deadline: number) {
  const { check, clock } = watch;
  if (before === 'initial') {
    const failed = clock.now() >= deadline ? 'unhealthy' : 'initial';
    return { health: passed ? 'healthy' : failed, contradictions: 0 } as const;
  }
  const present = (before === 'healthy') === passed ? 0 : contradictions + 1;
  const threshold = passed ? check.healthyThreshold : check.unhealthyThreshold;
  if (present < threshold) return { health: before, contradictions: present };
  return { health: passed ? 'healthy' : 'unhealthy', contradictions: 0 } as const;
}

/** Checks a target from its registration until `stop` is aborted. */
export async function watchTarget(watch: TargetWatch): Promise<void> {
  const { check, clock, stop, changed } = watch;
  const deadline = clock.now() + check.interval * check.unhealthyThreshold;
  let state: { health: TargetHealth; contradictions: number } = { health: 'initial', contradictions: 0 };
  while (!stop.aborted) {
    const passed = await passes(watch);
    if (stop.aborted) return;
    const { health } = state;
    state = after(watch, health, state.contradictions, passed, deadline);
    if (state.health !== health) changed(state.health);
    if (state.health === 'initial') await systemClock.sleep(FIRST_CHECKS, stop);
    else await clock.sleep(check.interval, stop);
  }
}
