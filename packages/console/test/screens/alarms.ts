/** Example alarms of the deployment and of its endpoints. */
import type { Alarm, AlarmList } from '../../api/management-types.ts';
import { ago, HOUR, MINUTE } from './clock.ts';
import { ok } from './screen.ts';

function alarm(name: string, facts: Partial<Alarm> = {}): Alarm {
  const { endpoint } = facts;
  return {
    name,
    state: 'OK',
    since: ago(20 * HOUR),
    reason: 'Threshold Crossed: 3 datapoints were not greater than the threshold.',
    description: 'A part of the service needs attention.',
    fullName: `gpu-endpoints-${endpoint === undefined ? 'Platform' : `Endpoint-${endpoint}`}-${name}-1A2B3C4D`,
    ...facts,
  };
}

const failing: Partial<Alarm> = {
  endpoint: 'sdxl',
  state: 'ALARM',
  since: ago(18 * MINUTE),
  reason: 'Threshold Crossed: 1 datapoint [40.3 (23/11/26 02:45:00)] was greater than the threshold (20.0).',
  description: 'More than 20 % of the jobs that ended within 15 minutes have failed.',
  runbook: 'docs/guides/monitor.md#what-do-i-do-when-jobs-fail',
};

const list: readonly Alarm[] = [
  alarm('AlarmsFailing', failing),
  alarm('AlarmsNoWorker', {
    endpoint: 'whisper',
    state: 'ALARM',
    since: ago(2 * MINUTE),
    description: 'Requested workers have been missing for 15 minutes.',
    runbook: 'docs/guides/monitor.md#what-do-i-do-when-no-worker-comes',
  }),
  alarm('WebhooksAlarmFailing', {
    state: 'ALARM',
    since: ago(9 * MINUTE),
    description: 'Too many webhooks are not acknowledged.',
    runbook: 'docs/guides/monitor.md#what-do-i-do-when-webhooks-fail',
  }),
  alarm('AlarmsVolumeHigh', { endpoint: 'echo', state: 'INSUFFICIENT_DATA' }),
  ...['AlarmsApiFailing', 'AlarmsLedgerBehind', 'AlarmsSweeperSilent'].map((name) => alarm(name)),
  ...['chat', 'echo', 'tts'].map((endpoint) => alarm('AlarmsFailing', { endpoint })),
];

export const alarms = ok<'AlarmList'>({ alarms: [...list] } satisfies AlarmList);

export const noAlarms = ok<'AlarmList'>({ alarms: list.map((one) => ({ ...one, state: 'OK' as const })) });
