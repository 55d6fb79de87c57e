/** The history of endpoints: one row for each event, which says what changed and who changed it. */
import * as z from 'zod/mini';
import { callerKinds } from '../operations/routes.ts';

/**
 * `CONDITION`: why workers are missing. `BACK_OFF`: the endpoint starts fewer workers, because several have failed.
 * `RELEASE`: read from the releases, which the history does not repeat. `TEMPLATE`: a caller changed the template.
 * `PURGE`, `RESUME`: a caller called the operation. `SCALED`: the number of workers that the service runs. `BUDGET`: how
 * much of a budget is spent, as a level of `budgetLevels`.
 */
export const eventKinds = [
  'CONDITION',
  'BACK_OFF',
  'RELEASE',
  'TEMPLATE',
  'PURGE',
  'RESUME',
  'SCALED',
  'BUDGET',
] as const;
export type EventKind = (typeof eventKinds)[number];

const text = z.optional(z.string());
const count = z.optional(z.int().check(z.gte(0)));

/** Kinds of callers: those of operations, and `aws`, credentials of AWS that a command has used. */
export const eventCallerKinds = [...callerKinds, 'aws'] as const;

/** A caller, with the name that the key or the user had then. The id of credentials of AWS is their ARN. */
export const eventCallerSchema = z.object({ kind: z.enum(eventCallerKinds), id: z.string(), name: z.string() });
export type EventCaller = z.infer<typeof eventCallerSchema>;

/** An event of an endpoint. Times are in milliseconds since the epoch. */
export const endpointEventSchema = z.object({
  endpoint: z.string(),
  kind: z.enum(eventKinds),
  at: z.number(),
  /** The state before and after the event: a condition, `ON` or `OFF`, the state of a release, or a number of workers. */
  from: text,
  to: text,
  /** Why, as a sentence. */
  detail: text,
  /** Id of the API key whose budget it is; absent for the budget of the endpoint. */
  key: text,
  /** Number of purged jobs. */
  jobs: count,
  revision: count,
  /** Id of the template. The next member is its version. */
  template: text,
  version: count,
  /** Names of the fields of the template that changed. */
  fields: z.optional(z.array(z.string())),
  /** Absent if no caller caused the event. */
  by: z.optional(eventCallerSchema),
});
export type EndpointEvent = z.infer<typeof endpointEventSchema>;
