/** Records of releases in the history, and summaries of releases in responses. */

import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { conditionKinds } from './fleet-state.ts';
import { isComplete, numberOf, type Refusal, type Release } from './release.ts';

export const releaseStates = ['IN_PROGRESS', 'COMPLETED', 'ROLLED_BACK', 'SUPERSEDED'] as const;

export type ReleaseState = (typeof releaseStates)[number];

export const releaseRecordSchema = z.object({
  state: z.enum(releaseStates),
  /** Number of the revision of the endpoint's task definition; absent if no revision could be created. */
  revision: z.optional(z.number()),
  /** Id of the template. The next field is its version. */
  template: z.string(),
  version: z.number(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
  /** Reason for the rollback, as a sentence. */
  reason: z.optional(z.string()),
});

export type ReleaseRecord = z.infer<typeof releaseRecordSchema>;

export interface ReleaseSummary {
  readonly state: ReleaseState;
  /** Version of the template. */
  readonly version: number;
  /** Number of the revision of the endpoint's task definition; absent if no revision could be created. */
  readonly revision?: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Why the release was rolled back or does not progress, as a sentence. */
  readonly reason?: string;
}

/** A release summary with the id of the template. */
export interface NamedSummary extends ReleaseSummary {
  readonly template: string;
}

const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** Removes undefined members, which JSON omits anyway. */
const defined = <Members extends object>(members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;

export const summaryOfRecord = ({ state, template, version, revision, startedAt, endedAt, reason }: ReleaseRecord) =>
  defined({
    state,
    template,
    version,
    revision,
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
    reason,
  }) as NamedSummary;

function summaryOfRefused({ template, revision, startedAt, endedAt, reason }: Refusal): ReleaseSummary {
  const number = revision === undefined ? undefined : numberOf(revision);
  const { template: _, ...summary } = summaryOfRecord({
    state: 'ROLLED_BACK',
    template: template.id,
    version: template.version,
    revision: number,
    startedAt,
    endedAt,
    reason,
  });
  return summary;
}

/** Returns the blocker as a sentence, or undefined if nothing blocks the workers. */
function blockerOf({ fleet: { condition } }: Pick<Endpoint, 'fleet'>): string | undefined {
  return condition && condition.is !== 'STARTING' ? conditionKinds[condition.is].message(condition.words) : undefined;
}

function summaryOfPresent(release: Release, endpoint: Pick<Endpoint, 'fleet'>): ReleaseSummary {
  const { template, revision, startedAt, endedAt } = release;
  const { template: _, ...summary } = summaryOfRecord({
    state: isComplete(release) ? 'COMPLETED' : 'IN_PROGRESS',
    template: template.id,
    version: template.version,
    revision: numberOf(revision),
    startedAt,
    endedAt,
    reason: isComplete(release) ? undefined : blockerOf(endpoint),
  });
  return summary;
}

/** Returns the last release of the endpoint. A rolled-back release is the last release until another release begins. */
export function lastRelease(endpoint: Pick<Endpoint, 'fleet' | 'release'>): ReleaseSummary | undefined {
  const { release } = endpoint;
  if (!release) return undefined;
  return release.refused ? summaryOfRefused(release.refused) : summaryOfPresent(release, endpoint);
}

/** The release that the workers run, as its template, its revision and the time since which it is complete. */
export interface RunningRelease {
  /** Id of the template. */
  readonly template: string;
  readonly version: number;
  readonly revision: number;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * Returns the last complete release of the endpoint, which most workers run while another release is in progress.
 * Returns undefined before the first release is complete.
 */
export function runningRelease({ release }: Pick<Endpoint, 'release'>): RunningRelease | undefined {
  const complete = release && isComplete(release) ? release : release?.restore;
  if (!complete) return undefined;
  const { template, revision, startedAt, endedAt = startedAt } = complete;
  const since = new Date(endedAt).toISOString();
  return { template: template.id, version: template.version, revision: numberOf(revision), since };
}
