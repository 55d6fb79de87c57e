/** Tests of the changes that a user reviews before saving an edit. */
import { describe, expect, it } from '@jest/globals';
import { changedLines, differences, overwritten } from '../../template/difference.ts';
import { aTemplate } from './a-template.ts';

describe('the changes of an edit', () => {
  it('contain each field with its old and new value', () => {
    const changes = { imageName: 'team/llama:1.3', volumeInGb: 0, isPublic: true, ports: [], name: 'b' };
    expect(differences(aTemplate(), changes)).toEqual([
      { field: 'name', label: 'Name', from: 'llama', to: 'b', rollsOut: false },
      { field: 'imageName', label: 'Container image', from: 'team/llama:1.2', to: 'team/llama:1.3', rollsOut: true },
      { field: 'isPublic', label: 'Public', from: 'No', to: 'Yes', rollsOut: false },
      { field: 'volumeInGb', label: 'Volume', from: '20 GB', to: '0 GB', rollsOut: true },
      { field: 'ports', label: 'Ports', from: '8080/http', to: 'None', rollsOut: true },
    ]);
  });

  it('explain an empty command and an empty login', () => {
    const from = aTemplate({ containerRegistryAuthId: 'hub' });
    expect(differences(from, { dockerStartCmd: [], containerRegistryAuthId: '' })).toMatchObject([
      { from: 'hub', to: 'None' },
      { from: '"serve" "--port" "8080"', to: "The image's own" },
    ]);
  });

  it('contain each variable, but never the value of a credential', () => {
    const env = { MODEL: 'llama-4', API_KEY: 'def', NEW: 'x' };
    const from = aTemplate({ env: { ...aTemplate().env, SAME: 'y' } });
    const found = differences(from, { env: { ...env, SAME: 'y' } });
    expect(found.map(({ label, from, to }) => [label, from, to])).toEqual([
      ['Variable API_KEY', 'Hidden', 'Another hidden value'],
      ['Variable MODEL', 'llama-3', 'llama-4'],
      ['Variable NEW', undefined, 'x'],
      ['Variable TOKEN', 'Secret HF_TOKEN', undefined],
    ]);
    expect(JSON.stringify(found)).not.toMatch(/abc|def/);
  });

  it('contain the lines of a readme that differ', () => {
    const [found] = differences(aTemplate(), { readme: '# Llama\nSecond\nLast' });
    expect(found).toMatchObject({ from: 'First', to: 'Second', rollsOut: false });
    expect(changedLines('a\nb\nc', 'a\nb\nx\nc')).toEqual({ from: '', to: 'x' });
    expect(changedLines('a', 'a\na')).toEqual({ from: '', to: 'a' });
    expect(changedLines('a\nb', 'a\nb')).toEqual({ from: '', to: '' });
  });

  it('overwrite the fields that another user has also changed', () => {
    const filled = aTemplate();
    const present = aTemplate({ imageName: 'team/llama:2', readme: 'other', version: 4 });
    expect(overwritten(filled, present, { imageName: 'team/llama:1.3', name: 'b' })).toEqual(['imageName']);
  });
});
