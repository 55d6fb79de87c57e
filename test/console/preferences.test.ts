/** What the browser has stored may be of another version, or of another page. */
import { describe, expect, it } from '@jest/globals';
import { defaults, parsePreferences } from '../../console/preferences.ts';

describe('stored preferences', () => {
  it('are the defaults when nothing is stored', () => {
    expect(parsePreferences(null)).toEqual(defaults);
    expect(defaults).toEqual({ theme: 'system', density: 'comfortable', zone: 'local', shortcuts: true });
  });

  it('come back as they were stored', () => {
    const all = { theme: 'dark', density: 'compact', zone: 'utc', shortcuts: false } as const;
    expect(parsePreferences(JSON.stringify(all))).toEqual(all);
  });

  it('keep the known values beside unknown ones', () => {
    expect(parsePreferences('{"theme":"dark","density":"tiny","zone":4,"shortcuts":"no"}')).toEqual({
      ...defaults,
      theme: 'dark',
    });
  });

  it.each(['', 'null', '[]', '"dark"', '{'])('are the defaults when the stored text is %j', (text) => {
    expect(parsePreferences(text)).toEqual(defaults);
  });
});
