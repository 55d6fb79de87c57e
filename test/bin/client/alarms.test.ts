import { describe, expect, it } from '@jest/globals';
import { useClient } from './use-client.ts';

const alarm = {
  name: 'AlarmsFailing',
  endpoint: 'chat',
  state: 'ALARM',
  since: '2026-11-29T08:00:00.000Z',
  reason: 'Threshold Crossed: 1 datapoint.',
  description: 'Jobs fail.',
  runbook: 'docs/guides/monitor.md#jobs',
  fullName: 'gpu-endpoints-Endpoint-chat-AlarmsFailing0123ABCD',
};
const { endpoint: _, ...quiet } = { ...alarm, name: 'AlarmsSweeperSilent', state: 'OK', description: 'It is silent.' };

const { printed, run } = useClient(({ pathname }) => (pathname === '/v1/alarms' ? { alarms: [alarm, quiet] } : {}));

const list = (...args: string[]) => run('alarms', 'ls', ...args);

describe('alarms ls', () => {
  it('lists the alarms, and of those that have gone off the reason and the runbook', async () => {
    await list('--all');
    const [head, first, second, ...rest] = printed;
    expect(head).toMatch(/^ALARM +ENDPOINT +STATE +SINCE +MEANING$/);
    expect(first).toMatch(/^AlarmsFailing +chat +ALARM .* Jobs fail\.$/);
    expect(second).toMatch(/^AlarmsSweeperSilent +OK .* It is silent\.$/);
    expect(rest).toEqual([
      '',
      'AlarmsFailing of chat: Jobs fail.',
      'Threshold Crossed: 1 datapoint.',
      'What to do: docs/guides/monitor.md#jobs',
    ]);
  });

  it('lists only those that are not OK without --all', async () => {
    await list();
    const text = printed.join('\n');
    expect(text).toContain('AlarmsFailing');
    expect(text).not.toContain('AlarmsSweeperSilent');
  });

  it('prints the answer with --json', async () => {
    await list('--json');
    expect(JSON.parse(printed.join('\n'))).toEqual({ alarms: [alarm, quiet] });
  });
});
