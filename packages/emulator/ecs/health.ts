import { listening } from '../network/ports.ts';
import { type Clock, systemClock } from './clock.ts';
import type { HealthCheck } from './definitions.ts';

/**
 * Milliseconds between checks until the first success. The interval is shorter than in ECS so that tasks start
 * fast.
 */
const IMPATIENT = 10;

async function isHealthy(url: string, timeout: number, stop: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([stop, AbortSignal.timeout(timeout)]) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Waits for the first success. Returns false if it takes longer than ECS would wait, or if `stop` is aborted first.
 */
export async function becomesHealthy(url: string, check: HealthCheck, stop: AbortSignal): Promise<boolean> {
  const until = AbortSignal.any([stop, AbortSignal.timeout(check.startPeriod + check.interval * check.retries)]);
  const { hostname, port } = new URL(url);
  await listening(Number(port), until, hostname);
  while (!until.aborted) {
    if (await isHealthy(url, check.timeout, until)) return true;
    await systemClock.sleep(IMPATIENT, until);
  }
  return false;
}

/** Resolves when the container has become unhealthy, or never if `stop` is aborted first. */
export async function becomesUnhealthy(
  url: string,
  check: HealthCheck,
  stop: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  for (let failures = 0; failures < check.retries; ) {
    await clock.sleep(check.interval, stop);
    const healthy = await isHealthy(url, check.timeout, stop);
    if (stop.aborted) return new Promise(() => undefined);
    failures = healthy ? 0 : failures + 1;
  }
}
