import { describe, expect, it } from '@jest/globals';
import { type Alarm, listAlarms } from '../../core/management/list-alarms.ts';

const alarm = (name: string, differences: Partial<Alarm> = {}): Alarm => ({
  name,
  description: 'Something is wrong.',
  state: 'OK',
  since: Date.UTC(2030, 0, 1),
  reason: 'Threshold Crossed',
  ...differences,
});

/** The names of CloudFormation, with and without the suffix that AWS adds. */
const stored = [
  alarm('gpu-endpoints-Endpoint-chat-AlarmsWaiting0123ABCD-Xa1b2C3d4E5f'),
  alarm('gpu-endpoints-Endpoint-two-words-AlarmsFailing0123ABCD', {
    state: 'ALARM',
    description: 'Jobs fail. Runbook: docs/guides/monitor.md#jobs',
  }),
  alarm('gpu-endpoints-Platform-AlarmsSweeperSilentFFFFFFFF-Xa1b2C3d4E5f', { state: 'INSUFFICIENT_DATA' }),
  // Another deployment, whose name begins with the name of this one.
  alarm('gpu-endpoints-staging-Platform-AlarmsLedgerBehind0123ABCD'),
  alarm('another-Platform-AlarmsLedgerBehind0123ABCD'),
];
const ports = {
  deployment: 'gpu-endpoints',
  alarms: { list: async (prefix: string) => stored.filter(({ name }) => name.startsWith(prefix)) },
};

describe('the list of alarms', () => {
  it('has those of the deployment by their names in the guide, first those that have gone off', async () => {
    const { alarms } = await listAlarms(ports, { permitted: ['*'] });
    expect(alarms.map(({ name, endpoint, state }) => [name, endpoint, state])).toEqual([
      ['AlarmsFailing', 'two-words', 'ALARM'],
      ['AlarmsSweeperSilent', undefined, 'INSUFFICIENT_DATA'],
      ['AlarmsWaiting', 'chat', 'OK'],
    ]);
    expect(alarms[0]).toEqual({
      name: 'AlarmsFailing',
      endpoint: 'two-words',
      state: 'ALARM',
      since: '2030-01-01T00:00:00.000Z',
      reason: 'Threshold Crossed',
      description: 'Jobs fail.',
      runbook: 'docs/guides/monitor.md#jobs',
      fullName: 'gpu-endpoints-Endpoint-two-words-AlarmsFailing0123ABCD',
    });
  });

  it('has only those of the endpoints that the caller may call', async () => {
    const names = async (permitted: readonly string[]) =>
      (await listAlarms(ports, { permitted })).alarms.map(({ name }) => name);
    expect(await names(['chat'])).toEqual(['AlarmsWaiting']);
    expect(await names([])).toEqual([]);
  });
});
