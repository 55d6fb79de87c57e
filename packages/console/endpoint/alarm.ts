/** Short names of alarms, by the names that docs/guides/monitor.md has. */
import type { Alarm } from '../api/management-types.ts';

const words: Readonly<Record<string, string>> = {
  AlarmsFailing: 'Failing',
  AlarmsNoWorker: 'No workers',
  AlarmsRolledBack: 'Rolled back',
  AlarmsWaiting: 'Long waits',
  AlarmsWebhooksFailing: 'Webhooks fail',
  WebhooksAlarmFailing: 'Webhooks fail',
  AlarmsBudgetHigh: 'Budget high',
  AlarmsVolumeHigh: 'Volume high',
  WorkersVolumeFull: 'Volume full',
  MessagesDeadLettersFilled: 'Dead letters',
};

/** Returns the word of an alarm, such as `Long waits`. */
export const alarmWord = ({ name }: Pick<Alarm, 'name'>): string =>
  words[name] ?? name.replace(/^Alarms/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');

export const isGoneOff = ({ state }: Pick<Alarm, 'state'>): boolean => state === 'ALARM';

/** Returns the alarms of an endpoint that have gone off, the newest first. */
export const openAlarms = (endpoint: string, alarms: readonly Alarm[]): Alarm[] =>
  alarms
    .filter((alarm) => alarm.endpoint === endpoint && isGoneOff(alarm))
    .toSorted((a, b) => (a.since < b.since ? 1 : -1));
