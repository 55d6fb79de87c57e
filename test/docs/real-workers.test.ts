import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { agentVariables, defaultVariables } from '../../core/workers/protocol.ts';
import { pins, SDK_VERSIONS } from '../acceptance/real-workers/pins.ts';
import { workerNames } from '../acceptance/real-workers/places.ts';
import { allSdkCells, recorded, tableOf, workerCells } from '../acceptance/real-workers/table.ts';

const page = readFileSync('docs/guides/workers.md', 'utf8');
const results = readFileSync('docs/reference/real-workers.md', 'utf8');

describe('docs/reference/real-workers.md', () => {
  it('has a row for each behaviour that the suite checks, with the expected result', () => {
    const cells = [...allSdkCells(() => ''), ...workerNames.flatMap(workerCells)];
    expect(recorded()).toBe(tableOf(cells, ({ result }) => result));
  });

  it('names the versions that the suite runs', () => {
    for (const name of [...SDK_VERSIONS, ...Object.values(pins).map(({ commit }) => commit)])
      expect(results).toContain(name);
  });
});

describe('docs/guides/workers.md', () => {
  it('names the versions and the workers that the suite runs', () => {
    const tested = /Tested with .*?\n\n/s.exec(page)?.[0] ?? '';
    for (const name of [...SDK_VERSIONS, ...Object.values(pins).map(({ repository }) => repository)])
      expect(tested).toContain(name);
  });

  it('lists every variable of the worker protocol that a container has, with the defaults', () => {
    const rows = [...page.matchAll(/^\| (`(?:RUNPOD|BUCKET)_.*?) +\| (.*?) +\|$/gm)].flatMap(([, names = '', here]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, here] as const),
    );
    const listed = new Map(rows);
    const set = rows.filter(([, here]) => !here?.startsWith('unset')).map(([name]) => name);
    const protocol = { ...agentVariables('echo', 1), ...defaultVariables };
    const ofRunPod = Object.keys(protocol).filter((name) => name.startsWith('RUNPOD_'));
    expect(new Set(set)).toEqual(new Set(ofRunPod));
    for (const [name, value] of Object.entries(defaultVariables))
      expect([name, listed.get(name)]).toEqual([name, expect.stringContaining(`\`${value}\`; \`env\` can change`)]);
  });
});
