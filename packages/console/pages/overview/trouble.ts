/** Finds what is wrong with endpoints, and sorts them by urgency, for a person on call. */
import type { Alarm, Endpoint } from '../../api/management-types.ts';
import { alarmWord, openAlarms } from '../../endpoint/alarm.ts';
import { type StateKind, stateOf } from '../../endpoint/state.ts';
import { count } from '../../units.ts';
import { isFailing, percentOf } from './recent.ts';

/** What is wrong with an endpoint. */
export interface Problem {
  readonly kind: 'condition' | 'no-workers' | 'failing' | 'waits' | 'webhooks' | 'rolled-back' | 'alarm';
  /** A word or two. */
  readonly word: string;
  /** A sentence with details. */
  readonly detail?: string | undefined;
  readonly helps?: string | undefined;
}

/** Kinds in order of urgency. */
const KINDS: readonly Problem['kind'][] = [
  'condition',
  'no-workers',
  'failing',
  'waits',
  'webhooks',
  'rolled-back',
  'alarm',
];

/** Failed webhooks of an hour from which an endpoint is in trouble. */
const WEBHOOKS_FAIL = 3;

/** Short names of conditions. */
const conditions: Readonly<Record<string, string>> = {
  BUDGET_SPENT: 'Budget spent',
  NO_CAPACITY: 'No capacity',
  QUOTA: 'Quota',
  IMAGE_UNAVAILABLE: 'No image',
  CANNOT_START: 'Cannot start',
  WORKER_EXITS: 'Crashes',
  WORKER_UNHEALTHY: 'Unhealthy',
};

/** Kinds of the alarms that say what another problem says; all others are `alarm`. */
const kinds: Readonly<Record<string, Problem['kind']>> = {
  AlarmsFailing: 'failing',
  AlarmsNoWorker: 'no-workers',
  AlarmsRolledBack: 'rolled-back',
  AlarmsWaiting: 'waits',
  AlarmsWebhooksFailing: 'webhooks',
  WebhooksAlarmFailing: 'webhooks',
};

const ofState: Partial<Readonly<Record<StateKind, readonly [kind: Problem['kind'], word: string]>>> = {
  condition: ['condition', ''],
  'no-workers': ['no-workers', 'No workers'],
  'rolled-back': ['rolled-back', 'Rolled back'],
};

function problemOfState(endpoint: Endpoint): Problem[] {
  const { kind, title, detail, helps } = stateOf(endpoint);
  const [problem, word] = ofState[kind] ?? [];
  if (problem === undefined || word === undefined) return [];
  return [{ kind: problem, word: word || (conditions[title] ?? title), detail: detail ?? `${title}.`, helps }];
}

function problemsOfLastHour({ recent }: Endpoint): Problem[] {
  if (!recent) return [];
  const { ended, failed, failedWebhooks } = recent.lastHour;
  const problems: Problem[] = [];
  if (isFailing(recent.lastHour))
    problems.push({
      kind: 'failing',
      word: 'Failing',
      detail: `${count(failed)} of ${count(ended)} jobs (${percentOf(recent.lastHour)}) failed within the last hour.`,
      helps: 'Look at the failures by error: if all have one release or one worker, it is the cause.',
    });
  if (failedWebhooks >= WEBHOOKS_FAIL)
    problems.push({
      kind: 'webhooks',
      word: 'Webhooks fail',
      detail: `${count(failedWebhooks)}${failedWebhooks >= 100 ? ' or more' : ''} webhooks failed within the last hour.`,
      helps: 'Look at the answers of the receivers, then send the webhooks again.',
    });
  return problems;
}

/**
 * Returns what is wrong with an endpoint, the most urgent first: its state, the jobs and webhooks of its last hour, and
 * its alarms. Of several of one kind, only the first is returned.
 */
export function problemsOf(endpoint: Endpoint, alarms: readonly Alarm[]): Problem[] {
  const all = [
    ...problemOfState(endpoint),
    ...problemsOfLastHour(endpoint),
    ...openAlarms(endpoint.id, alarms).map(
      (alarm): Problem => ({
        kind: kinds[alarm.name] ?? 'alarm',
        word: alarmWord(alarm),
        detail: alarm.description,
        helps: alarm.runbook,
      }),
    ),
  ];
  // A condition is why workers are missing.
  const isSame = (one: Problem['kind'], other: Problem['kind']) =>
    one === other || (one === 'condition' && other === 'no-workers');
  const first = all.filter(
    ({ kind }, index) => kind === 'alarm' || all.findIndex((one) => isSame(one.kind, kind)) === index,
  );
  return first.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

/** An endpoint with what is wrong with it. */
export interface Row {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly problems: readonly Problem[];
}

export const rowOf = (endpoint: Endpoint, alarms: readonly Alarm[]): Row => ({
  id: endpoint.id,
  endpoint,
  problems: problemsOf(endpoint, alarms),
});

/** Endpoints without problems: those whose jobs wait for workers that start are first. */
function rankOf({ endpoint, problems: [first] }: Row): number {
  if (first) return KINDS.indexOf(first.kind);
  return stateOf(endpoint).kind === 'starting' ? KINDS.length : KINDS.length + 1;
}

const byName = (a: Row, b: Row) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Sorts endpoints by their most urgent problem. Those with the same are sorted by name. */
export const byTrouble = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));

/**
 * Keeps rows in place while the pointer is over them.
 * @param sorted rows in their new order
 * @param shown ids of the rows in the order that the page shows
 * @returns the shown rows in the order that the page shows, then the new rows
 */
export function inPlace<Row extends { readonly id: string }>(sorted: readonly Row[], shown: readonly string[]): Row[] {
  const places = new Map(shown.map((id, place) => [id, place]));
  const placeOf = ({ id }: Row) => places.get(id) ?? shown.length;
  return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
}
