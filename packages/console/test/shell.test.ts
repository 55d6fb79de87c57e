/** Tests of search, shortcuts and rights, which all pages use. */
import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '../session/groups.ts';
import { jobsPath } from '../shell/paths.ts';
import { searchTargets } from '../shell/search-target.ts';
import { createShortcuts } from '../shell/shortcuts.ts';

const JOB = '06f2k39999abcdefghjkmnpqrstvwxyz0123';
const endpoints = ['sdxl', 'sdxl-turbo', 'whisper'];

describe('the search', () => {
  it.each([
    ['an id', JOB],
    ['an id of runsync', `sync-${JOB}`],
    ['an id with spaces and quotes', `  "${JOB}", `],
    ['an address', `https://host.example/v2/sdxl/status/${JOB}?x=1`],
  ])('recognizes %s as a job', (_, text) => {
    const job = text.includes('sync-') ? `sync-${JOB}` : JOB;
    expect(searchTargets(text, endpoints)).toEqual([{ label: `Job ${job}`, job }]);
  });

  const pathsOf = (text: string) => searchTargets(text, endpoints).map(({ path }) => path);
  const errors = (text: string) => `/jobs?text=${text}&status=FAILED%2CTIMED_OUT&since=7d`;

  it.each([
    ['sdxl', ['/endpoints/sdxl', '/endpoints/sdxl-turbo', errors('sdxl')]],
    ['SDXL-t ', ['/endpoints/sdxl-turbo', errors('SDXL-t')]],
    ['wh', ['/endpoints/whisper']],
    ['CUDA out of', [errors('CUDA+out+of')]],
    ['0a1b2c3d4e5f', ['/jobs?key=0a1b2c3d4e5f&since=7d', '/jobs?error=0a1b2c3d4e5f&since=7d']],
    ['0a1b2c3d'.repeat(4), [`/jobs?worker=${'0a1b2c3d'.repeat(4)}&since=7d`]],
    ['', []],
    ['zz', []],
  ])('finds the targets of "%s", the most likely first', (text, targets) => {
    expect(pathsOf(text)).toEqual(targets);
  });
});

const plain = { ctrlKey: false, altKey: false, metaKey: false, inField: false };

describe('shortcuts', () => {
  it.each([
    ['/', 'search'],
    ['?', 'help'],
    ['j', 'next'],
    ['k', 'previous'],
  ])('use %s for %s', (key, shortcut) => {
    expect(createShortcuts()({ ...plain, key, at: 0 })).toBe(shortcut);
  });

  it('open a page with g and a letter', () => {
    const press = createShortcuts();
    expect(press({ ...plain, key: 'g', at: 0 })).toBeUndefined();
    expect(press({ ...plain, key: 'k', at: 1000 })).toBe('keys');
    expect(press({ ...plain, key: 'k', at: 1100 })).toBe('previous');
    press({ ...plain, key: 'g', at: 1200 });
    expect(press({ ...plain, key: 'c', at: 1300 })).toBe('costs');
  });

  it('ignore a g that was pressed too long ago', () => {
    const press = createShortcuts();
    press({ ...plain, key: 'g', at: 0 });
    expect(press({ ...plain, key: 'e', at: 5000 })).toBeUndefined();
  });

  it.each([{ inField: true }, { ctrlKey: true }, { altKey: true }, { metaKey: true }])('are off with %j', (with_) => {
    expect(createShortcuts()({ ...plain, ...with_, key: '/', at: 0 })).toBeUndefined();
  });
});

describe('the reason of a disabled control', () => {
  it('names the group that can use it, and the groups of the user', () => {
    expect(refusalOf('cancel', ['viewer'])).toBe('Only users in the group "operator" can do this. You are in: viewer.');
    expect(refusalOf('purge-queue', ['operator', 'owner:team'])).toContain('"admin"');
    expect(refusalOf('status', [])).toBe('Only users in the group "viewer" can do this. You are not in any group.');
  });
});

describe('the address of the page of all jobs', () => {
  it('has the filters that are set, escaped', () => {
    expect(jobsPath()).toBe('/jobs');
    expect(jobsPath({ endpoint: 'sdxl', status: 'FAILED,TIMED_OUT', since: '', text: 'a & b', release: 7 })).toBe(
      '/jobs?endpoint=sdxl&status=FAILED%2CTIMED_OUT&text=a+%26+b&release=7',
    );
  });
});
