/**
 * What the user's container is told about the worker protocol: the variables by which workers that were written for the
 * original service find their door, and ours. Its SDK names jobs and workers by `$ID` and `$RUNPOD_POD_ID` in them,
 * makes the addresses of other calls by replacing `job-take`, and appends parameters, so each has one already.
 */
import { MINUTE, SECOND } from '../limits.ts';

/** Where the agent listens, on the task's loopback address: a number that no program has for its own, as users' have 8080. */
export const AGENT_PORT = 18_271;

/** Every worker has a door of its own and no other can reach it, so it needs neither a name nor a key. */
export const SELF = 'self';

/** By this parameter of `job-stop` a worker says how it stops jobs: see `worker/gateway/polls.ts`. */
export const STOPS = 'stops';
export const AT_ONCE = 'at-once';

/** Where the door is, and how many jobs come through it at once; a worker's `env` cannot change these. */
export function doorVariables(endpoint: string, port: number, concurrency = 1): Readonly<Record<string, string>> {
  const door = `http://127.0.0.1:${port}/v2/${endpoint}`;
  return {
    ENDPOINT_ID: endpoint,
    AGENT_PORT: String(port),
    CONCURRENCY: String(concurrency),
    RUNPOD_ENDPOINT_ID: endpoint,
    RUNPOD_POD_ID: SELF,
    RUNPOD_AI_API_KEY: SELF,
    // It asks the same address, with the same parameters, what it shall stop.
    RUNPOD_WEBHOOK_GET_JOB: `${door}/job-take/$ID?${STOPS}=${AT_ONCE}`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${door}/job-done/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_POST_STREAM: `${door}/job-stream/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_PING: `${door}/ping/$RUNPOD_POD_ID?gpu=none`,
  };
}

/** How the original's SDK shall behave here; a worker's `env` may say otherwise. */
export const defaultVariables: Readonly<Record<string, string>> = {
  RUNPOD_PING_INTERVAL: '10000',
  // They ask for the open internet, which a worker need not have, and end a worker that has none.
  RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
  RUNPOD_SKIP_GPU_CHECK: 'true',
  // Its default writes every output to the log.
  RUNPOD_LOG_LEVEL: 'INFO',
};

/**
 * When a worker is replaced because its jobs fail, and how the service learns of it.
 *
 * The agent's exit code when jobs of the user's container failed at once, one after the other.
 */
export const AGENT_FAILING = 4;

/**
 * A worker is replaced when so many different jobs in a row have failed there, each within `within` of its start: the
 * server that its handler calls is dead. At most one worker of an endpoint is replaced for that in `every`, because inputs
 * that are wrong look the same.
 */
export const QUICK_FAILURES = { most: 3, within: SECOND, every: 10 * MINUTE } as const;

/** Why, as a sentence without its subject. */
export const FAILING = `${QUICK_FAILURES.most} jobs in a row failed within ${QUICK_FAILURES.within} ms of their start, so it is replaced.`;
