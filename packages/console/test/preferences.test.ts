/** Tests of reading stored preferences, which can be of another version or invalid. */
import { describe, expect, it } from '@jest/globals';
import { defaults, linkLimits, parsePreferences, withLink } from '../preferences.ts';

const night = { name: 'Failed last night', address: '/jobs?status=FAILED&since=24h' };

describe('stored preferences', () => {
  it('are the defaults if nothing is stored', () => {
    expect(parsePreferences(null)).toEqual(defaults);
    expect(defaults).toEqual({ theme: 'system', density: 'comfortable', zone: 'local', shortcuts: true, links: [] });
  });

  it('are read as they were stored', () => {
    const all = { theme: 'dark', density: 'compact', zone: 'utc', shortcuts: false, links: [night] } as const;
    expect(parsePreferences(JSON.stringify(all))).toEqual(all);
  });

  it('keep known values beside unknown values', () => {
    expect(parsePreferences('{"theme":"dark","density":"tiny","zone":4,"shortcuts":"no"}')).toEqual({
      ...defaults,
      theme: 'dark',
    });
  });

  it('keep links to pages of the console only', () => {
    const addresses = ['https://example.com', '//example.com', '/\\example.com', 'javascript:x', '', 7];
    const links = [...addresses.map((address) => ({ name: 'x', address })), { name: 'x' }, null, night];
    expect(parsePreferences(JSON.stringify({ links })).links).toEqual([night]);
    expect(parsePreferences('{"links":"x"}').links).toEqual([]);
  });

  it('keep a limited number of links, one for each name', () => {
    const other = { ...night, address: '/jobs' };
    expect(withLink([night], other)).toEqual([other]);
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `${index}`, address: '/jobs' }));
    expect(many.reduce(withLink, [])).toHaveLength(linkLimits.count);
    expect(withLink([night], { name: 'Keys', address: '/keys' })).toHaveLength(2);
  });

  it.each(['', 'null', '[]', '"dark"', '{'])('are the defaults if the stored text is %j', (text) => {
    expect(parsePreferences(text)).toEqual(defaults);
  });
});
