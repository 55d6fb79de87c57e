import { setTimeout as delay } from 'node:timers/promises';
import type { HealthCheck } from './definitions.ts';

/** Between checks until the first success: nobody wants to wait for ECS's rhythm on a laptop. */
const IMPATIENT = 50;

async function isHealthy(url: string, timeout: number): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

const pause = (milliseconds: number, stop: AbortSignal) =>
  delay(milliseconds, undefined, { signal: stop }).catch(() => undefined);

/** Waits for the first success. False if it takes longer than ECS would wait, or `stop` comes first. */
export async function becomesHealthy(url: string, check: HealthCheck, stop: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + check.startPeriod + check.interval * check.retries;
  while (!stop.aborted && performance.now() < deadline) {
    if (await isHealthy(url, check.timeout)) return true;
    await pause(IMPATIENT, stop);
  }
  return false;
}

/** Resolves when the container has become unhealthy, or never if `stop` comes first. */
export async function becomesUnhealthy(url: string, check: HealthCheck, stop: AbortSignal): Promise<void> {
  for (let failures = 0; failures < check.retries; ) {
    await pause(check.interval, stop);
    if (stop.aborted) return new Promise(() => undefined);
    failures = (await isHealthy(url, check.timeout)) ? 0 : failures + 1;
  }
}
