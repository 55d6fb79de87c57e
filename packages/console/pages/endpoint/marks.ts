/** Derives the marks of the charts from the events of an endpoint and from its alarms. */
import type { Alarm, EndpointEvent } from '../../api/management-types.ts';
import type { Mark, MarkKind } from '../../charts/data.ts';
import { openAlarms } from '../../endpoint/alarm.ts';
import { releaseName } from '../../endpoint/release.ts';

export interface ListedMark extends Mark {
  readonly detail?: string | undefined;
}

export const markKinds: Readonly<Record<MarkKind, string>> = {
  release: 'Release',
  condition: 'Condition',
  alarm: 'Alarm',
  change: 'Change',
};

/** Kinds of events that the charts mark. The chart of the workers shows their number. */
export const MARKED = 'CONDITION,BACK_OFF,RELEASE,TEMPLATE,PURGE,RESUME,BUDGET';

const releases: Readonly<Record<string, string>> = {
  IN_PROGRESS: 'began',
  COMPLETED: 'is complete',
  ROLLED_BACK: 'was rolled back',
  SUPERSEDED: 'was superseded',
};

const callerOf = ({ by }: EndpointEvent) =>
  by && `${by.kind === 'key' ? 'key' : by.kind === 'aws' ? 'AWS' : 'user'} ${by.name}`;

function titleOf(event: EndpointEvent): readonly [MarkKind, string] {
  const { kind, to, from, jobs, key } = event;
  switch (kind) {
    case 'RELEASE':
      return ['release', `${releaseName(event)} ${releases[to ?? ''] ?? to}`];
    case 'CONDITION':
      return ['condition', to === undefined ? `${from} has ended` : to];
    case 'BACK_OFF':
      return ['condition', to === 'ON' ? 'Starts fewer workers' : 'Starts all workers again'];
    case 'BUDGET':
      return [
        'condition',
        `Budget${key === undefined ? '' : ` of key ${key}`} ${to === 'SPENT' ? 'is spent' : to === 'WARNED' ? 'is 80 % spent' : 'is in its limit'}`,
      ];
    case 'TEMPLATE':
      return ['change', `Template changed: ${event.fields?.join(', ') ?? 'fields unknown'}`];
    case 'PURGE':
      return ['change', `Purged${jobs === undefined ? '' : ` ${jobs} jobs`}`];
    case 'RESUME':
      return ['change', 'Resumed'];
    default:
      return ['change', `Workers: ${from ?? '?'} to ${to ?? '?'}`];
  }
}

function markOf(event: EndpointEvent): ListedMark {
  const [kind, title] = titleOf(event);
  const caller = callerOf(event);
  return {
    at: Date.parse(event.at),
    kind,
    title: caller === undefined ? title : `${title}, by ${caller}`,
    detail: event.detail,
  };
}

/** @returns the marks at or after `from`, newest first */
export function marksOf(
  endpoint: string,
  events: readonly EndpointEvent[],
  alarms: readonly Alarm[],
  from: number,
): ListedMark[] {
  const gone = openAlarms(endpoint, alarms).map(
    ({ name, since, reason }): ListedMark => ({
      at: Date.parse(since),
      kind: 'alarm',
      title: `Alarm ${name}`,
      detail: reason,
    }),
  );
  return [...events.map(markOf), ...gone].filter(({ at }) => at >= from).toSorted((a, b) => b.at - a.at);
}
