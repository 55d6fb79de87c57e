/** Mutants of the caches of processes. */
import { type Mutant, mutant } from './mutant.ts';

const CACHE = 'test/aws/cache.test.ts';

export const cacheMutants: readonly Mutant[] = [
  mutant('a hanging read blocks all later reads')
    .replace('aws/cache.ts', 'const SHARED_FOR = 1_000;', 'const SHARED_FOR = 1_000_000;')
    .killedBy(CACHE, 'if the current read hangs'),
  mutant('concurrent look-ups of a name each read it')
    .replace('aws/cache.ts', 'clock.now() - other.since < SHARED_FOR', 'clock.now() < 0')
    .killedBy(CACHE, 'once for simultaneous calls'),
  mutant('a look-up that starts during a miss gets its result')
    .replace('aws/cache.ts', 'value !== undefined || missAge > 0', 'value !== null')
    .killedBy(CACHE, 'reads once for simultaneous calls, and again for calls'),
  mutant('an unknown name is looked up each time')
    .remove('aws/cache.ts', 'if (miss && isFresh(miss, missAge)) return miss.value;')
    .killedBy(CACHE, 'reads a missing name once within the maximum age of misses'),
  mutant('an unknown name is cached as long as a known name')
    .replace('aws/cache.ts', 'isFresh(miss, missAge)', 'isFresh(miss, maxAge)')
    .killedBy(CACHE, 'reads a missing name once within the maximum age of misses'),
  mutant('unknown names displace known names from the cache')
    .replace('aws/cache.ts', 'const missed = new RecentEntries<Value>();', 'const missed = found;')
    .killedBy(CACHE, 'keeps existing names even if many unknown names are read'),
  mutant('a removed name is found again')
    .replace('aws/cache.ts', 'if (hit && isFresh(hit, maxAge)) return hit.value;', 'if (hit) return hit.value;')
    .killedBy(CACHE, 'no longer exists|again after it'),
];
