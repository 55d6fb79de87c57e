import { describe, expect, it } from '@jest/globals';
import { BREATHER, OUTDATED_BREATHER } from '../../core/limits.ts';
import { createBreather } from '../../worker/breather.ts';
import { forever, log } from './agents.ts';

/** A worker that has been protected since so long, with what it does in order. */
function protectedFor(milliseconds: number, isOutdated = false) {
  const did: string[] = [];
  let since: number | undefined = 0;
  const { promise: isFree, resolve: end } = Promise.withResolvers<void>();
  const { promise: isOver, resolve: pass } = Promise.withResolvers<void>();
  const breather = createBreather({
    clock: { now: () => milliseconds },
    log,
    occupancy: { free: () => isFree.then(() => void did.push('free')) },
    protection: {
      since: () => since,
      async keep(wanted) {
        did.push(`protected: ${wanted}`);
        since = undefined;
      },
    },
    isOutdated: () => isOutdated,
    async pause(length) {
      did.push(`${length} ms`);
      await isOver;
    },
  });
  const look = (who: string) => breather(forever).then(() => void did.push(`${who} looks`));
  return { did, end, pass, look };
}

describe('a worker that always has work', () => {
  it('goes without protection for a moment, between jobs, and takes none meanwhile', async () => {
    const { did, end, pass, look } = protectedFor(BREATHER.every);
    const looks = [look('one'), look('other')];
    await Promise.resolve();
    expect(did).toEqual([]);
    end();
    await new Promise(setImmediate);
    const breath = ['free', 'protected: false', `${BREATHER.length} ms`];
    expect(did).toEqual(breath);
    // Whoever comes then waits too, although it is not due any more.
    looks.push(look('third'));
    await new Promise(setImmediate);
    expect(did).toEqual(breath);
    pass();
    await Promise.all(looks);
    expect(new Set(did.slice(3))).toEqual(new Set(['one looks', 'other looks', 'third looks']));
    await look('next');
    expect(did).toHaveLength(7);
  });

  it('does sooner when the endpoint is to run something else', async () => {
    const { did, end, pass, look } = protectedFor(OUTDATED_BREATHER, true);
    end();
    pass();
    await look('one');
    expect(did).toEqual(['free', 'protected: false', `${BREATHER.length} ms`, 'one looks']);
    const early = protectedFor(OUTDATED_BREATHER - 1, true);
    await early.look('one');
    expect(early.did).toEqual(['one looks']);
  });

  it('does not before it is due', async () => {
    const { did, look } = protectedFor(BREATHER.every - 1);
    await look('one');
    expect(did).toEqual(['one looks']);
  });
});
