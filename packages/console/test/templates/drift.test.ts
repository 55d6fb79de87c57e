import { describe, expect, it } from '@jest/globals';
import type { Drift } from '../../api/management-types.ts';
import { declaredChanges, driftRows, leavingFile } from '../../template/drift.ts';
import { aTemplate } from './a-template.ts';

const by = { kind: 'key', id: '0a1b2c', name: 'ci' } as const;
const at = '2026-01-01T12:00:00.000Z';
const image: Drift = { field: 'imageName', declared: 'team/llama:1.1', by, at };
const env: Drift = { field: 'env', declared: { MODEL: 'llama-2', API_KEY: 'xyz', OLD: '1' }, by, at };
const template = aTemplate({ declaredIn: 'endpoints/llama.yaml', drift: [image, env] });

describe('the differences of a template from its file', () => {
  it('have a row for each field and variable, with the value in the file first, and without credentials', () => {
    expect(driftRows(template).map(({ label, from, to, change }) => [label, from, to, change.field])).toEqual([
      ['Container image', 'team/llama:1.1', 'team/llama:1.2', 'imageName'],
      ['Variable API_KEY', 'Hidden', 'Another hidden value', 'env'],
      ['Variable MODEL', 'llama-2', 'llama-3', 'env'],
      ['Variable OLD', '1', undefined, 'env'],
      ['Variable TOKEN', undefined, 'Secret HF_TOKEN', 'env'],
    ]);
    expect(driftRows(aTemplate())).toEqual([]);
  });

  it('end with an update that sends all values of the file', () => {
    expect(declaredChanges(template)).toEqual({ imageName: image.declared, env: env.declared });
  });
});

describe('an edit', () => {
  it.each<[boolean, string, object]>([
    [true, 'another image', { imageName: 'team/llama:1.3' }],
    [false, 'the image in the file', { imageName: 'team/llama:1.1' }],
    [false, 'another name', { name: 'Llama', isPublic: true }],
    [true, 'another name and command', { name: 'Llama', dockerStartCmd: [] }],
    [false, 'nothing', {}],
  ])('leaves the file (%s) if it sets %s', (isLeaving, _, changes) => {
    expect(leavingFile(template, changes)).toBe(isLeaving);
    expect(leavingFile(aTemplate(), changes)).toBe(false);
  });
});
