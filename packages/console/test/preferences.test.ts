/** Tests of reading stored preferences, which can be of another version or invalid. */
import { describe, expect, it } from '@jest/globals';
import { defaults, parsePreferences } from '../preferences.ts';

describe('stored preferences', () => {
  it('are the defaults if nothing is stored', () => {
    expect(parsePreferences(null)).toEqual(defaults);
    expect(defaults).toEqual({ theme: 'system', density: 'comfortable', zone: 'local', shortcuts: true });
  });

  it('are read as they were stored', () => {
    const all = { theme: 'dark', density: 'compact', zone: 'utc', shortcuts: false } as const;
    expect(parsePreferences(JSON.stringify(all))).toEqual(all);
  });

  it('keep known values beside unknown values', () => {
    expect(parsePreferences('{"theme":"dark","density":"tiny","zone":4,"shortcuts":"no"}')).toEqual({
      ...defaults,
      theme: 'dark',
    });
  });

  it.each(['', 'null', '[]', '"dark"', '{'])('are the defaults if the stored text is %j', (text) => {
    expect(parsePreferences(text)).toEqual(defaults);
  });
});
