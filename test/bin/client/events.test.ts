/** Tests `gpu-endpoints endpoints events` over a service that records its requests. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useClient } from './use-client.ts';

const at = '2026-11-29T08:00:00.000Z';
const release = { kind: 'RELEASE', at, template: 'endpoint-chat', version: 4 };
const list = {
  events: [
    { ...release, revision: 7, from: 'IN_PROGRESS', to: 'ROLLED_BACK', detail: 'The worker exits.' },
    { ...release, to: 'ROLLED_BACK', detail: 'A secret is missing.' },
    { kind: 'BACK_OFF', at, to: 'ON' },
    { kind: 'CONDITION', at, to: 'NO_CAPACITY', detail: 'No instance has room.' },
    { kind: 'CONDITION', at, from: 'NO_CAPACITY' },
    { kind: 'SCALED', at, from: '0', to: '2' },
    {
      ...{ kind: 'TEMPLATE', at, template: 'endpoint-chat', version: 4, fields: ['imageName', 'env'] },
      by: { kind: 'key', id: '0a1b2c3d4e5f', name: 'ci' },
    },
    { kind: 'PURGE', at, jobs: 12, by: { kind: 'user', id: 'sub-1', name: '' } },
    { kind: 'RESUME', at, by: { kind: 'user', id: 'sub-2', name: 'ada' } },
  ],
  readTo: at,
  nextCursor: 'next',
};

let answer: object;
const { requests, printed, noted, run } = useClient(() => answer);

beforeEach(() => {
  answer = list;
});

const events = (...args: string[]) => run('endpoints', 'events', 'chat', ...args);

describe('endpoints events', () => {
  it('prints what changed, who changed it and why', async () => {
    await events();
    const lines = printed.map((line) =>
      line
        .split(/ {2,}/)
        .map((cell) => cell.trim())
        .filter((cell) => cell !== ''),
    );
    const [, ...rows] = lines.map(([, ...cells]) => cells);
    expect(lines[0]).toEqual(['WHEN', 'KIND', 'WHAT', 'WHO', 'WHY']);
    expect(rows).toEqual([
      ['RELEASE', 'release 7 ROLLED_BACK, version 4 of endpoint-chat', 'The worker exits.'],
      ['RELEASE', 'ROLLED_BACK, version 4 of endpoint-chat', 'A secret is missing.'],
      ['BACK_OFF', 'ON'],
      ['CONDITION', 'none -> NO_CAPACITY', 'No instance has room.'],
      ['CONDITION', 'NO_CAPACITY -> none'],
      ['SCALED', '0 -> 2 workers'],
      ['TEMPLATE', 'version 4 of endpoint-chat: imageName, env', 'key ci'],
      ['PURGE', '12 jobs', 'user sub-1'],
      ['RESUME', 'user ada'],
    ]);
    expect(noted).toEqual(['There are more: --cursor next']);
  });

  it('asks for the time and the kind', async () => {
    await events('--since', '2026-11-29', '--kind', 'PURGE', '--json');
    const [{ pathname, searchParams } = new URL('none:')] = requests;
    expect(pathname).toBe('/v1/endpoints/chat/events');
    expect(searchParams.get('kind')).toBe('PURGE');
    expect(Date.parse(searchParams.get('since') ?? '')).toBe(Date.parse('2026-11-29'));
    expect(JSON.parse(printed.join(''))).toEqual(list);
  });

  it('says since when nothing changed', async () => {
    answer = { events: [], readTo: at };
    await events();
    expect(printed).toEqual([`Nothing changed on chat since ${at}.`]);
  });
});
