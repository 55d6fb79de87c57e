import { MINUTE } from '../limits.ts';

/**
 * The metric of deliveries that are over, one sample each: 1 for one that has failed, 0 for one that was acknowledged. So
 * its average is the failure rate, its sum how many have failed, and its sample count how many there were.
 */
export const FAILURE_METRIC = 'WebhookFailures';

/** Whoever operates the service is told when so many percent of deliveries fail, if there are so many within the time. */
export const failureAlarm = { percent: 10, deliveries: 10, within: 15 * MINUTE } as const;
