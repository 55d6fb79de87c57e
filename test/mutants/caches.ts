/** Breaks of what processes remember. */
import type { Mutant } from './mutant.ts';

const CACHE = 'test/aws/cache.test.ts';

export const cacheMutants: readonly Mutant[] = [
  {
    name: 'a read that hangs holds up all that come after it',
    file: 'aws/cache.ts',
    replace: 'const SHARED_FOR = 1_000;',
    by: 'const SHARED_FOR = 1_000_000;',
    test: CACHE,
    named: 'a read that hangs',
  },
  {
    name: 'many that ask at once read as often',
    file: 'aws/cache.ts',
    replace: 'clock.now() - other.since < SHARED_FOR',
    by: 'clock.now() < 0',
    test: CACHE,
    named: 'reads once for all',
  },
  {
    name: 'who comes after a miss has begun is told of it',
    file: 'aws/cache.ts',
    replace: 'value !== undefined || missAge > 0',
    by: 'value !== null',
    test: CACHE,
    named: 'after a miss has begun',
  },
  {
    name: 'an unknown name is looked up each time',
    file: 'aws/cache.ts',
    replace: 'if (miss && isFresh(miss, missAge)) return miss.value;',
    by: '',
    test: CACHE,
    named: 'once in the age of misses',
  },
  {
    name: 'an unknown name stays unknown for as long as a known one',
    file: 'aws/cache.ts',
    replace: 'isFresh(miss, missAge)',
    by: 'isFresh(miss, maxAge)',
    test: CACHE,
    named: 'once in the age of misses',
  },
  {
    name: 'made-up names displace those that exist',
    file: 'aws/cache.ts',
    replace: 'const missed = new RecentEntries<Value>();',
    by: 'const missed = found;',
    test: CACHE,
    named: 'however many made-up names',
  },
  {
    name: 'a name that is gone is found again',
    file: 'aws/cache.ts',
    replace: 'if (hit && isFresh(hit, maxAge)) return hit.value;',
    by: 'if (hit) return hit.value;',
    test: CACHE,
    named: 'when it is gone|again after it',
  },
];
