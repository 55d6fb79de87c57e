/**
 * Replaces a worker whose container no longer asks for jobs although it has room for one and jobs wait. A container
 * that runs any job may be unable to ask, so only a container without a running job is silent. The health check of an
 * HTTP server replaces its worker instead.
 */
import { BEAT } from '../../core/limits.ts';
import { AGENT_SILENT, SILENT, SILENT_AFTER } from '../../core/workers/protocol.ts';
import type { Concurrency } from './concurrency.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { IdleTracker } from './idle-tracker.ts';
import type { MessageSource } from './messages.ts';
import type { AgentConfig, AgentLog, AgentPorts } from './ports.ts';
import type { Retirement } from './retirement.ts';
import type { Unreported } from './unreported.ts';

export interface Silence {
  /** Replaces the worker if it has been silent for `SILENT_AFTER`. Called every `WATCH`. Logs its own errors. */
  check(): Promise<void>;
  /** Whether the container has been silent for so long that the lease shows it. */
  isSilent(): boolean;
}

export interface SilenceHost {
  readonly ports: Pick<AgentPorts, 'clock' | 'endpoints'>;
  readonly config: Pick<AgentConfig, 'endpoint' | 'isServer'>;
  readonly log: AgentLog;
  readonly held: Pick<HeldJobs, 'own' | 'requeueAll' | 'size'>;
  readonly concurrency: Pick<Concurrency, 'isAsking' | 'maxAsked'>;
  readonly idleTracker: Pick<IdleTracker, 'isBusy'>;
  readonly messages: Pick<MessageSource, 'isStopped'>;
  readonly retirement: Pick<Retirement, 'begin'>;
  readonly unreported: Pick<Unreported, 'runsNone'>;
}

export function createSilence(host: SilenceHost): Silence {
  const { ports, config, log, held, concurrency, idleTracker, messages, retirement, unreported } = host;
  const { clock } = ports;
  /** Start of the silence, in milliseconds since the epoch. */
  let since: number | undefined;
  let wasQuiet = false;

  const lasts = (length: number) => since !== undefined && clock.now() - since >= length;

  /** Returns whether all jobs of the worker are its own, and the container runs none of them. */
  const holdsIdly = () => held.size > 0 && held.size === held.own().length && unreported.runsNone();

  function isQuiet(): boolean {
    if (config.isServer || messages.isStopped() || concurrency.maxAsked() === undefined) return false;
    return !concurrency.isAsking() && (!idleTracker.isBusy() || holdsIdly());
  }

  async function jobsWait(): Promise<boolean> {
    if (held.size > 0) return true;
    const endpoint = await ports.endpoints.read(config.endpoint);
    return endpoint !== undefined && endpoint.counts.inQueue > 0;
  }

  return {
    isSilent: () => lasts(BEAT),

    async check() {
      // A container is also quiet for milliseconds between two jobs, so one check reads nothing.
      const isQuietNow = isQuiet();
      const isQuietAgain = wasQuiet && isQuietNow;
      wasQuiet = isQuietNow;
      try {
        // The container may ask while the endpoint is read.
        if (!(isQuietAgain && (await jobsWait()) && isQuiet())) {
          since = undefined;
          return;
        }
        // The pings have already shown for `SILENT_AFTER` that the container runs none of its jobs.
        since ??= clock.now() - (held.size > 0 ? SILENT_AFTER : 0);
        if (!lasts(SILENT_AFTER)) return;
        retirement.begin({ reason: SILENT, exitCode: AGENT_SILENT });
        await held.requeueAll();
      } catch (error) {
        log.error('It is not known whether the container must be replaced for its silence.', { error });
      }
    },
  };
}
