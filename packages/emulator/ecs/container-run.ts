/** Runs one container of a task: its health checks, and its restarts if it has a restart policy. */
import type { Clock } from './clock.ts';
import type { Container, ContainerEnd } from './container.ts';
import type { ContainerDefinition, RestartPolicy } from './definitions.ts';
import { becomesHealthy, becomesUnhealthy } from './health.ts';
import type { ContainerState } from './task-state.ts';

export interface ContainerRunOptions {
  readonly definition: ContainerDefinition;
  readonly clock: Clock;
  /** URL of the container's health check. */
  readonly healthUrl: string;
  /** Aborted when the task stops: nothing is restarted or checked afterwards. */
  readonly ending: AbortSignal;
  startProcess(): Container;
  changed(changes: Partial<ContainerState>): void;
  /** Called when the container does not become healthy, or becomes unhealthy. */
  unhealthy(how: string): void;
  /** Called when the container has exited and is not restarted. */
  ended(end: ContainerEnd): void;
}

export interface ContainerRun {
  readonly definition: ContainerDefinition;
  /** Resolves with whether the container became healthy. */
  readonly healthy: Promise<boolean>;
  restarts(): number;
  /**
   * Stops the container.
   * @param grace milliseconds between SIGTERM and SIGKILL
   */
  stop(grace: number): Promise<void>;
  crash(): void;
}

function mayRestart(policy: RestartPolicy | undefined, { exitCode }: ContainerEnd, ran: number): boolean {
  if (!policy || exitCode === undefined) return false;
  return ran >= policy.attemptPeriod && !policy.ignoredExitCodes.includes(exitCode);
}

export function runContainer(options: ContainerRunOptions): ContainerRun {
  const { definition, clock, healthUrl, ending, startProcess, changed, unhealthy, ended } = options;
  const { name, healthCheck, restartPolicy } = definition;
  const { promise: healthy, resolve: resolveHealthy } = Promise.withResolvers<boolean>();
  let container = startProcess();
  let restarts = 0;

  async function watch(stop: AbortSignal): Promise<void> {
    if (!healthCheck) return;
    if (await becomesHealthy(healthUrl, healthCheck, stop)) {
      changed({ healthStatus: 'HEALTHY' });
      resolveHealthy(true);
      await becomesUnhealthy(healthUrl, healthCheck, stop, clock);
      changed({ healthStatus: 'UNHEALTHY' });
      unhealthy(`container ${name} became unhealthy`);
    } else if (!stop.aborted) {
      changed({ healthStatus: 'UNHEALTHY' });
      resolveHealthy(false);
      unhealthy(`container ${name} did not become healthy`);
    } else if (ending.aborted) {
      resolveHealthy(false);
    }
  }

  async function live(): Promise<void> {
    for (let end: ContainerEnd | undefined; !end; ) {
      const startedAt = clock.now();
      const over = new AbortController();
      changed({ lastStatus: 'RUNNING', healthStatus: 'UNKNOWN' });
      void watch(AbortSignal.any([ending, over.signal]));
      const last = await container.ended;
      if (!ending.aborted && mayRestart(restartPolicy, last, clock.now() - startedAt)) {
        container = startProcess();
        restarts += 1;
      } else {
        end = last;
        const { exitCode, how } = last;
        changed({ lastStatus: 'STOPPED', ...(exitCode === undefined ? { reason: how } : { exitCode }) });
        ended(last);
        resolveHealthy(false);
      }
      over.abort();
    }
  }

  void live();
  return {
    definition,
    healthy,
    restarts: () => restarts,
    stop: (grace) => container.stop(grace),
    crash: () => container.crash(),
  };
}
