/** Breaks of what processes remember. */
import { type Mutant, mutant } from './mutant.ts';

const CACHE = 'test/aws/cache.test.ts';

export const cacheMutants: readonly Mutant[] = [
  mutant('a read that hangs holds up all that come after it')
    .replace('aws/cache.ts', 'const SHARED_FOR = 1_000;', 'const SHARED_FOR = 1_000_000;')
    .killedBy(CACHE, 'a read that hangs'),
  mutant('many that ask at once read as often')
    .replace('aws/cache.ts', 'clock.now() - other.since < SHARED_FOR', 'clock.now() < 0')
    .killedBy(CACHE, 'once for simultaneous calls'),
  mutant('who comes after a miss has begun is told of it')
    .replace('aws/cache.ts', 'value !== undefined || missAge > 0', 'value !== null')
    .killedBy(CACHE, 'after a miss has begun'),
  mutant('an unknown name is looked up each time')
    .remove('aws/cache.ts', 'if (miss && isFresh(miss, missAge)) return miss.value;')
    .killedBy(CACHE, 'once in the age of misses'),
  mutant('an unknown name stays unknown for as long as a known one')
    .replace('aws/cache.ts', 'isFresh(miss, missAge)', 'isFresh(miss, maxAge)')
    .killedBy(CACHE, 'once in the age of misses'),
  mutant('made-up names displace those that exist')
    .replace('aws/cache.ts', 'const missed = new RecentEntries<Value>();', 'const missed = found;')
    .killedBy(CACHE, 'however many made-up names'),
  mutant('a name that is gone is found again')
    .replace('aws/cache.ts', 'if (hit && isFresh(hit, maxAge)) return hit.value;', 'if (hit) return hit.value;')
    .killedBy(CACHE, 'no longer exists|again after it'),
];
