/** The endpoints of the burst, which all run the example worker. */

/** Gets more requests than its limits admit. */
export const FLOODED = 'flooded';
/** Gets fewer requests of each operation than the limit of 10 seconds. */
export const STEADY = 'steady';
/** Has no worker, so its jobs wait until they are cancelled or purged. */
export const HELD = 'held';
/** Another caller's endpoint, whose jobs run one after the other during the burst. */
export const BYSTANDER = 'bystander';

/** Does not exist. */
export const MISSING = 'missing';

/** Endpoints whose workers run the jobs of the burst. */
export const RUNNING = [FLOODED, STEADY] as const;

/** `wide` may call the endpoints of the burst but not the bystander's, `other` only the bystander's, and the last two none. */
export const keyNames = ['wide', 'other', 'revoked', 'unknown'] as const;
export type KeyName = (typeof keyNames)[number];
