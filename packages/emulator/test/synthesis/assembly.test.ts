import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readAssembly } from '../../synthesis/assembly.ts';

const root = mkdtempSync(join(tmpdir(), 'emulator-assembly-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Writes an assembly whose stacks have these paths in the app, by the names of their artifacts. */
function assembly(paths: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'a-'));
  const artifacts = Object.entries(paths).map(([artifact, displayName]) => {
    writeFileSync(join(folder, `${artifact}.template.json`), JSON.stringify({ Resources: {} }));
    return [artifact, { type: 'aws:cloudformation:stack', displayName, properties: { stackName: `team-${artifact}` } }];
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts: Object.fromEntries(artifacts) }));
  return folder;
}

describe('the stacks of an assembly', () => {
  it('have the ids that the app gives them, also inside of other constructs', () => {
    const stacks = readAssembly(assembly({ Web: 'Web', NotesData0A1B: 'Notes/Data' }));
    expect(stacks.map(({ id, name }) => [id, name])).toEqual([
      ['Web', 'team-Web'],
      ['Data', 'team-NotesData0A1B'],
    ]);
  });

  it('cannot be those of two constructs with the same ids, and the error names one', () => {
    const folder = assembly({ OneData0A1B: 'One/Data', TwoData2C3D: 'Two/Data' });
    expect(() => readAssembly(folder)).toThrow(`${folder} has two stacks Data: run one deployment at a time.`);
  });

  it('are missing in a folder that is no assembly', () => {
    expect(() => readAssembly(root)).toThrow(`${root} is not a synthesized assembly: it has no manifest.json.`);
  });
});
