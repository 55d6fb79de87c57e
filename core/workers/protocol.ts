/**
 * Environment variables with the URLs of the worker protocol for the user's container: those of RunPod's SDK, and ours.
 * In a URL, the SDK replaces `$RUNPOD_POD_ID` by the worker, and `$ID` by the job or, in `job-take`, by the worker. It
 * replaces `job-take` by the names of other calls. It appends parameters with `&`, so each URL already has a parameter.
 */
import { MINUTE, SECOND } from '../limits.ts';

/** The agent's port on the task's loopback address. Common programs do not use this port, unlike 8080. */
export const AGENT_PORT = 18_271;

/**
 * Name and key of every worker. They do not have to be unique or secret, because only a worker's own container can
 * reach its agent.
 */
export const SELF = 'self';

/** Parameter of `job-stop` with which a worker states how it stops jobs (see `worker/gateway/polls.ts`). */
export const STOPS = 'stops';
export const AT_ONCE = 'at-once';

/** Returns the variables with the agent's URLs and the concurrency, which a template's `env` cannot change. */
export function agentVariables(endpoint: string, port: number, concurrency = 1): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${port}/v2/${endpoint}`;
  return {
    ENDPOINT_ID: endpoint,
    AGENT_PORT: String(port),
    CONCURRENCY: String(concurrency),
    RUNPOD_ENDPOINT_ID: endpoint,
    RUNPOD_POD_ID: SELF,
    RUNPOD_AI_API_KEY: SELF,
    // The SDK uses the same URL and parameters to ask which jobs to stop.
    RUNPOD_WEBHOOK_GET_JOB: `${url}/job-take/$ID?${STOPS}=${AT_ONCE}`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${url}/job-done/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_POST_STREAM: `${url}/job-stream/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_PING: `${url}/ping/$RUNPOD_POD_ID?gpu=none`,
  };
}

/** Settings of RunPod's SDK, which a template's `env` can change. */
export const defaultVariables: Readonly<Record<string, string>> = {
  RUNPOD_PING_INTERVAL: '10000',
  // Disabled, because these checks need the internet and stop a worker without it.
  RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
  RUNPOD_SKIP_GPU_CHECK: 'true',
  // The default level of the SDK writes every output to the log.
  RUNPOD_LOG_LEVEL: 'INFO',
};

/**
 * Exit code of the agent when consecutive jobs failed immediately after their start, so that the worker is
 * replaced.
 */
export const AGENT_FAILING = 4;

/**
 * A worker is replaced after `max` consecutive different jobs have failed within `within` of their start, because
 * the server that its handler calls has probably crashed. At most one worker of an endpoint is replaced per
 * `every`, because invalid inputs look the same.
 */
export const QUICK_FAILURES = { max: 3, within: SECOND, every: 10 * MINUTE } as const;

/** Exit code of the agent when its container no longer asks for jobs, so that the worker is replaced. */
export const AGENT_SILENT = 5;

/** Milliseconds for which a container without a running job may fail to ask for one while jobs wait. */
export const SILENT_AFTER = 30 * SECOND;

/** Reason for this replacement, as a sentence. */
export const SILENT = `Its container had no job and did not ask for one for ${SILENT_AFTER / SECOND} s while jobs waited, so the worker is replaced.`;

/** Reason for the replacement after failures, as a sentence. */
export const FAILING = `${QUICK_FAILURES.max} jobs in a row failed within ${QUICK_FAILURES.within} ms of their start, so the worker is replaced.`;
