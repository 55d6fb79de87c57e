/**
 * The variables that give the user's container the addresses of the worker protocol: those of RunPod's SDK, and ours.
 * The SDK replaces `$ID` and `$RUNPOD_POD_ID` in them by jobs and workers, makes the addresses of other calls by
 * replacing `job-take`, and appends parameters, so each has one already.
 */
import { MINUTE, SECOND } from '../limits.ts';

/** The agent's port on the task's loopback address: no common program uses it, as users' programs use 8080. */
export const AGENT_PORT = 18_271;

/** Name and key of every worker: only its own container can reach its agent, so it needs no others. */
export const SELF = 'self';

/** The parameter of `job-stop` by which a worker states how it stops jobs: see `worker/gateway/polls.ts`. */
export const STOPS = 'stops';
export const AT_ONCE = 'at-once';

/** Returns the agent's addresses and the number of jobs at once; a worker's `env` cannot change these. */
export function doorVariables(endpoint: string, port: number, concurrency = 1): Readonly<Record<string, string>> {
  const door = `http://127.0.0.1:${port}/v2/${endpoint}`;
  return {
    ENDPOINT_ID: endpoint,
    AGENT_PORT: String(port),
    CONCURRENCY: String(concurrency),
    RUNPOD_ENDPOINT_ID: endpoint,
    RUNPOD_POD_ID: SELF,
    RUNPOD_AI_API_KEY: SELF,
    // The SDK asks the same address, with the same parameters, which jobs to stop.
    RUNPOD_WEBHOOK_GET_JOB: `${door}/job-take/$ID?${STOPS}=${AT_ONCE}`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${door}/job-done/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_POST_STREAM: `${door}/job-stream/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_PING: `${door}/ping/$RUNPOD_POD_ID?gpu=none`,
  };
}

/** Settings of RunPod's SDK; a worker's `env` may change them. */
export const defaultVariables: Readonly<Record<string, string>> = {
  RUNPOD_PING_INTERVAL: '10000',
  // The checks need the open internet, and end a worker that has none.
  RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
  RUNPOD_SKIP_GPU_CHECK: 'true',
  // Its default writes every output to the log.
  RUNPOD_LOG_LEVEL: 'INFO',
};

/**
 * The agent's exit code when jobs of the user's container failed at once, one after the other: the worker is replaced.
 */
export const AGENT_FAILING = 4;

/**
 * A worker is replaced when so many different jobs in a row have failed there, each within `within` of its start: the
 * server that its handler calls is dead. At most one worker of an endpoint is replaced for that in `every`, because
 * wrong inputs look the same.
 */
export const QUICK_FAILURES = { most: 3, within: SECOND, every: 10 * MINUTE } as const;

/** The reason, as a sentence without its subject. */
export const FAILING = `${QUICK_FAILURES.most} jobs in a row failed within ${QUICK_FAILURES.within} ms of their start, so it is replaced.`;
