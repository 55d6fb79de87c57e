/** Numbers of the sums of endpoints. */
import { DAY, HOUR, MINUTE, SECOND } from '../limits.ts';
import type { SpanLength } from './sums.ts';

/**
 * Time after its end until a minute is summed: the ledger and the events of ECS have then stored what happened in it.
 * What they store later lets the minute be summed once more.
 */
export const SUM_DELAY = 2 * MINUTE;

/** Time after the end of a minute from which a sum might not have read what is stored. */
export const ADDED_LATE = SUM_DELAY - 10 * SECOND;

/** Minutes are summed once more from this time before a late end, if the job ran then. */
export const CORRECTED_BEFORE = HOUR;

/** Retention of the sums of a span after its begin. A minute is kept until its hour and its day are surely summed. */
export const sumsKept: Readonly<Record<SpanLength, number>> = { minute: 2 * DAY, hour: 90 * DAY, day: 400 * DAY };

/** Endpoints without jobs and workers are summed this often, and the others every minute. */
export const QUIET_EVERY = 5 * MINUTE;

/** A new endpoint is summed from this time before its first sum. */
export const FIRST_SUM = HOUR;

/** Maximum number of rows that a sum reads of each kind. If there are more, the next sum continues. */
export const ROWS_PER_SUM = 20_000;

/** A worker without a lease whose life began earlier than this has stopped, although no event has said so. */
export const MAX_START = HOUR;

/** Endpoints that are summed at the same time. */
export const SUMMED_AT_ONCE = 25;

/** Maximum number of payers of a span by name; the others are summed as one. */
export const MAX_PAYERS = 100;

/** Maximum number of points of a series: the minutes of a day. */
export const MAX_POINTS = 1_440;

/** Days of a list of costs: bound and default. */
export const costDays = { max: 400, default: 7 } as const;

/** Hours of what happened on an endpoint lately, with the open one. They contain today. */
export const RECENT_HOURS = 24;

/** Maximum number of failed webhooks that are counted, one page of the table. */
export const RECENT_WEBHOOKS = 100;

/** Groups of a list of costs. */
export const costGroups = ['endpoint', 'day', 'key'] as const;

/** Lengths of the spans of a series, the shortest first. */
export const steps = ['minute', 'hour', 'day'] as const satisfies SpanLength[];
