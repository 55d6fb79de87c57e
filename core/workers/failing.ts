/** When a worker is replaced because its jobs fail, and how the service learns of it. */
import { MINUTE, SECOND } from '../limits.ts';

/** The agent's exit code when jobs of the user's container failed at once, one after the other. */
export const AGENT_FAILING = 4;

/**
 * A worker is replaced when so many different jobs in a row have failed there, each within `within` of its start: the
 * server that its handler calls is dead. At most one worker of an endpoint is replaced for that in `every`, because inputs
 * that are wrong look the same.
 */
export const QUICK_FAILURES = { most: 3, within: SECOND, every: 10 * MINUTE } as const;

/** Why, as a sentence without its subject. */
export const FAILING = `${QUICK_FAILURES.most} jobs in a row failed within ${QUICK_FAILURES.within} ms of their start, so it is replaced.`;
