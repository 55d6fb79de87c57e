/** Finds who caused a release and what it changed, in the events of its endpoint. */
import type { EndpointEvent, ReleaseList } from '../../api/management-types.ts';

export interface ReleaseChange {
  /** Caller who changed the template; undefined for a deployment or a repetition. */
  readonly by?: EndpointEvent['by'];
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
  /** Reason that the caller gave. */
  readonly reason?: string | undefined;
}

type ListedRelease = ReleaseList['releases'][number];

/** A release follows a change of its template within this time. */
const WITHIN = 10 * 60_000;

/** @returns undefined if the events do not tell what the release changed */
export function changeOf(
  { template, version, startedAt }: ListedRelease,
  events: readonly EndpointEvent[],
): ReleaseChange | undefined {
  if (startedAt === undefined) return undefined;
  const begun = Date.parse(startedAt);
  const change = events.find(
    ({ kind, at, template: of, version: changed }) =>
      kind === 'TEMPLATE' &&
      of === template &&
      changed === version &&
      begun - Date.parse(at) >= 0 &&
      begun - Date.parse(at) < WITHIN,
  );
  return change && { by: change.by, fields: change.fields ?? [], reason: change.detail };
}
