/** Tests that `docs/reference/compared-with-runpod.md` names settings that exist, with values that they accept. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Field, fieldsByPage } from './configuration-fields.ts';

const [, section = ''] = readFileSync('docs/reference/compared-with-runpod.md', 'utf8').split(
  '## Which setting becomes which?',
);
/** Code that names no setting: commands, files, a Docker instruction, a secret, and a field of requests. */
const OTHER = /^(?:npm run |[\w/]+\.yaml$|ENTRYPOINT$|\{\{|policy\.)/;

const fields: ReadonlyMap<string, Field> = new Map(
  ['settings.md', 'pools.md', 'endpoints.md'].flatMap((page) => [...(fieldsByPage[page] ?? [])]),
);
const named = [...section.matchAll(/^\| .+? \| (.+) \|$/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
  .filter((code) => !OTHER.test(code))
  .map((code) => {
    const [name = '', value] = code.split(': ');
    return { code, name, value };
  });

describe('the settings that replace those of RunPod', () => {
  it('include the fields of every endpoint', () => {
    expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(['image', 'minWorkers', 'capacity', 'env']));
  });

  it.each(named)('exist and accept the value of the page: $code', ({ name, value }) => {
    expect([...fields.keys()]).toContain(name);
    if (value !== undefined) expect([name, fields.get(name)?.accepts(value)]).toEqual([name, true]);
  });
});
