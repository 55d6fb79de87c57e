/** `gpu-endpoints endpoints events`: lists what changed on an endpoint, and who changed it. */
import { type Command, Option } from 'commander';
import { type EventKind, eventKinds } from '../../core/history/event.ts';
import { historyLimits } from '../../core/history/limits.ts';
import type { EventList, EventSummary } from '../../core/history/list-events.ts';
import { call, segment } from './call.ts';
import { common, type PageOptions, paged, printNext, serviceOf } from './options.ts';
import { printJson, printTable } from './print.ts';
import { timeOption } from './time.ts';

interface EventOptions extends PageOptions {
  readonly since?: string;
  readonly until?: string;
  readonly kind?: EventKind;
}

const changeOf = ({ from, to }: EventSummary) => `${from ?? 'none'} -> ${to ?? 'none'}`;

/** What happened in a few words, by the kind of the event. */
const descriptions: Readonly<Record<EventKind, (event: EventSummary) => string | undefined>> = {
  CONDITION: changeOf,
  BACK_OFF: ({ to }) => to,
  RELEASE: ({ revision, to, template, version }) =>
    `${revision === undefined ? '' : `release ${revision} `}${to}, version ${version} of ${template}`,
  TEMPLATE: ({ template, version, fields = [] }) => `version ${version} of ${template}: ${fields.join(', ')}`,
  PURGE: ({ jobs }) => `${jobs} jobs`,
  RESUME: () => undefined,
  SCALED: (event) => `${changeOf(event)} workers`,
  BUDGET: ({ to, key }) => (key === undefined ? to : `${to} by the key ${key}`),
};

async function list(endpoint: string, { limit, cursor, since, until, kind, ...options }: EventOptions): Promise<void> {
  const query = { since, until, kind, cursor, limit };
  const path = `/endpoints/${segment(endpoint)}/events`;
  const answer = await call<EventList>(serviceOf(options), 'management', 'GET', path, { query });
  if (options.json) return printJson(answer);
  printTable<EventSummary>(
    [
      { head: 'WHEN', text: ({ at }) => at },
      { head: 'KIND', text: (event) => event.kind },
      { head: 'WHAT', text: (event) => descriptions[event.kind](event) },
      { head: 'WHO', text: ({ by }) => by && `${by.kind} ${by.name || by.id}` },
      { head: 'WHY', text: ({ detail }) => detail, below: true },
    ],
    answer.events,
    `Nothing changed on ${endpoint} since ${answer.readTo}.`,
  );
  printNext(answer.nextCursor);
}

/** @param endpoints the command `endpoints` */
export function addEvents(endpoints: Command): void {
  const command = endpoints
    .command('events')
    .description('list what changed on an endpoint, newest first, and who changed it')
    .argument('<endpoint>', 'id of the endpoint')
    .option('--since <time>', 'list events since this time, or this long ago, such as 12h (default: 24h)', timeOption)
    .option('--until <time>', 'list events until this time', timeOption)
    .addOption(new Option('--kind <kind>', 'list events of this kind').choices(eventKinds));
  common(
    paged(command, 'events', historyLimits.page.max, historyLimits.page.default),
    'GET /v1/endpoints/ENDPOINT/events',
    'endpoints events chat --since 12h',
  ).action(list);
}
