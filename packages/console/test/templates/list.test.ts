/** Tests of the list of templates, and of the progress of their releases. */
import { describe, expect, it } from '@jest/globals';
import { filtered, filterOf, kindOf, shortImage } from '../../template/kind.ts';
import { rolloutOf, type WorkerRevision } from '../../template/rollout.ts';
import { aTemplate } from './a-template.ts';

const all = [
  aTemplate({ id: 'c', name: 'Zeta', category: 'CPU' }),
  aTemplate({ id: 'a', name: 'alpha', imageName: 'team/whisper:1', isPublic: true }),
  aTemplate({ id: 'echo', name: 'Echo', category: 'CPU', isPlatform: true }),
];
const ids = (query: string) => filtered(all, filterOf(new URLSearchParams(query))).map(({ id }) => id);

describe('the list of templates', () => {
  it('is sorted by name', () => {
    expect(ids('')).toEqual(['a', 'echo', 'c']);
  });

  it.each([
    ['category=CPU', ['echo', 'c']],
    ['kind=official', ['echo']],
    ['kind=public', ['a']],
    ['kind=private', ['c']],
    ['category=CPU&kind=private&search=zet', ['c']],
    ['search=WHISPER', ['a']],
    ['search=%20ech%20', ['echo']],
    ['search=nothing', []],
  ])('is filtered by ?%s', (query, found) => {
    expect(ids(query)).toEqual(found);
  });

  it('ignores an unknown filter', () => {
    expect(ids('category=TPU&kind=mine')).toEqual(['a', 'echo', 'c']);
  });

  it('marks an official template as official, whether it is public or not', () => {
    expect(kindOf({ isPlatform: true, isPublic: true })).toBe('official');
    expect(kindOf({ isPlatform: false, isPublic: true })).toBe('public');
    expect(kindOf({ isPlatform: false, isPublic: false })).toBe('private');
  });
});

describe('the image of a template', () => {
  const digest = 'a1'.repeat(32);
  it.each([
    ['team/llama:1.2', 'team/llama:1.2'],
    [`team/llama@sha256:${digest}`, 'team/llama@sha256:a1a1a1a1a1a1…'],
    [`000000000000.dkr.ecr.us-east-1.amazonaws.com/models/llama-worker:${digest}`, '…/llama-worker:a1a1a1a1a1a1…'],
    [`${'w'.repeat(70)}:1`, `${'w'.repeat(70)}:1`],
  ])('%s is shown as %s', (image, short) => {
    expect(shortImage(image)).toBe(short);
  });
});

describe('a rollout', () => {
  const release = { state: 'IN_PROGRESS', revision: 7 } as const;
  const worker = (revision?: number): WorkerRevision => ({
    state: 'IDLE',
    ...(revision !== undefined && { revision }),
  });

  it('counts the replaced workers', () => {
    expect(rolloutOf(release, [worker(7), worker(6), worker(8), worker(6), worker(6)])).toEqual({
      type: 'in-progress',
      text: 'Rolling out',
      progress: '2 of 5 workers replaced',
    });
    expect(rolloutOf(release, [worker(6)]).progress).toBe('0 of 1 worker replaced');
  });

  it('omits lost workers', () => {
    const lost: WorkerRevision = { state: 'UNHEALTHY', revision: 6 };
    expect(rolloutOf(release, [worker(7), lost]).progress).toBe('1 of 1 worker replaced');
  });

  it('shows that there are no workers to replace', () => {
    expect(rolloutOf(release, []).progress).toBe('No workers yet. The next worker runs the new version');
  });

  it.each([
    ['workers are unknown', release, undefined],
    ['a worker does not report its revision', release, [worker(7), worker()]],
    ['the release has no revision', { state: 'IN_PROGRESS' }, [worker(7)]],
    ['the release has ended', { state: 'COMPLETED', revision: 7 }, [worker(7)]],
  ] as const)('counts nothing if %s', (_, of, workers) => {
    expect(rolloutOf(of, workers).progress).toBeUndefined();
  });

  it("shows the service's reason if it was rolled back", () => {
    expect(rolloutOf({ state: 'ROLLED_BACK', reason: 'An image cannot be pulled.' })).toEqual({
      type: 'error',
      text: 'Rolled back',
      reason: 'An image cannot be pulled.',
    });
  });

  it('is pending before the first release', () => {
    expect(rolloutOf(undefined)).toEqual({ type: 'pending', text: 'Not released' });
  });
});
