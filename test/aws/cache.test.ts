import { describe, expect, it } from '@jest/globals';
import { createCache } from '../../aws/cache.ts';
import { MovedClock } from '../support/emulated-deployment.ts';

const MAX_AGE = 60_000;
const MISS_AGE = 5_000;
const MAX_NAMES = 10_000;

/** @returns a cache over the values, and the names that it read */
function cacheOver(there: Map<string, string>, missAge?: number) {
  const clock = new MovedClock();
  const looked: string[] = [];
  const load = async (name: string) => {
    looked.push(name);
    return there.get(name);
  };
  return { clock, looked, read: createCache(clock, MAX_AGE, load, missAge) };
}

describe('a cache', () => {
  it('reads a name once within the maximum age, and again afterwards', async () => {
    const { clock, looked, read } = cacheOver(new Map([['a', '1']]));
    expect([await read('a'), await read('a')]).toEqual(['1', '1']);
    clock.advance(MAX_AGE - 1);
    await read('a');
    expect(looked).toEqual(['a']);
    clock.advance(1);
    await read('a');
    expect(looked).toEqual(['a', 'a']);
  });

  it('finds a new name immediately if misses are not cached', async () => {
    const there = new Map<string, string>();
    const { read } = cacheOver(there);
    expect(await read('a')).toBeUndefined();
    there.set('a', '1');
    expect(await read('a')).toBe('1');
  });

  it('reads a missing name once within the maximum age of misses', async () => {
    const there = new Map<string, string>();
    const { clock, looked, read } = cacheOver(there, MISS_AGE);
    expect([await read('a'), await read('a')]).toEqual([undefined, undefined]);
    expect(looked).toEqual(['a']);
    there.set('a', '1');
    clock.advance(MISS_AGE);
    expect(await read('a')).toBe('1');
  });

  it('reads once for simultaneous calls, and again for calls that arrive after the read of a missing name began', async () => {
    const there = new Map([['a', '1']]);
    const { looked, read } = cacheOver(there);
    expect(await Promise.all([read('a'), read('a'), read('a')])).toEqual(['1', '1', '1']);
    expect(looked).toEqual(['a']);

    const first = read('b');
    there.set('b', '2');
    expect(await Promise.all([first, read('b'), read('b')])).toEqual([undefined, '2', '2']);
    expect(looked).toEqual(['a', 'b', 'b']);
  });

  it('reads a missing name once for simultaneous calls if misses are cached', async () => {
    const { looked, read } = cacheOver(new Map(), MISS_AGE);
    expect(await Promise.all([read('a'), read('a'), read('a')])).toEqual([undefined, undefined, undefined]);
    expect(looked).toEqual(['a']);
  });

  it('fails all simultaneous calls when a read fails, and reads again for the next call', async () => {
    const failures = [new Error('The table does not exist.')];
    const read = createCache(new MovedClock(), MAX_AGE, async () => {
      for (const failure of failures.splice(0)) throw failure;
      return '1';
    });
    const answers = await Promise.allSettled([read('a'), read('a')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read('a')).toBe('1');
  });

  it('starts a new read after one second if the current read hangs', async () => {
    const clock = new MovedClock();
    let reads = 0;
    const read = createCache(clock, MAX_AGE, () => {
      reads += 1;
      return reads === 1 ? new Promise<string>(() => undefined) : Promise.resolve('1');
    });
    void read('a');
    clock.advance(999);
    const held = read('a');
    clock.advance(1);
    expect(await read('a')).toBe('1');
    expect(await Promise.race([held, 'held'])).toBe('held');
    expect(reads).toBe(2);
  });

  it('forgets a name that no longer exists', async () => {
    const there = new Map([['a', '1']]);
    const { clock, read } = cacheOver(there, MISS_AGE);
    await read('a');
    there.delete('a');
    clock.advance(MAX_AGE);
    expect(await read('a')).toBeUndefined();
    expect(await read('a')).toBeUndefined();
  });

  it('keeps existing names even if many unknown names are read', async () => {
    const { looked, read } = cacheOver(new Map([['a', '1']]), MISS_AGE);
    await read('a');
    for (let n = 0; n <= MAX_NAMES; n += 1) await read(`made-up ${n}`);
    looked.length = 0;
    await read('a');
    expect(looked).toEqual([]);
    // The oldest of the missing names was removed.
    await read('made-up 1');
    await read('made-up 0');
    expect(looked).toEqual(['made-up 0']);
  });
});
