import { describe, expect, it } from '@jest/globals';
import { PROTECTION_GAP, STALE_PROTECTION_GAP } from '../../core/limits.ts';
import { createProtectionGap } from '../../worker/agent/protection-gap.ts';
import { forever, log } from './agents.ts';

/** Creates a worker that has been protected for this long, and a list of its actions in order. */
function protectedFor(milliseconds: number, isStale = false) {
  const did: string[] = [];
  let since: number | undefined = 0;
  const { promise: isFree, resolve: end } = Promise.withResolvers<void>();
  const { promise: isOver, resolve: pass } = Promise.withResolvers<void>();
  const protectionGap = createProtectionGap({
    clock: { now: () => milliseconds },
    log,
    idleTracker: { whenIdle: () => isFree.then(() => void did.push('free')) },
    protection: {
      since: () => since,
      async keep(wanted) {
        did.push(`protected: ${wanted}`);
        since = undefined;
      },
    },
    watcher: { isStale: () => isStale },
    async pause(length) {
      did.push(`${length} ms`);
      await isOver;
    },
  });
  const look = (who: string) => protectionGap(forever).then(() => void did.push(`${who} looks`));
  return { did, end, pass, look };
}

describe('a worker that always has jobs', () => {
  it('goes without protection for a moment between jobs, and takes no job during that time', async () => {
    const { did, end, pass, look } = protectedFor(PROTECTION_GAP.every);
    const looks = [look('one'), look('other')];
    await Promise.resolve();
    expect(did).toEqual([]);
    end();
    await new Promise(setImmediate);
    const gap = ['free', 'protected: false', `${PROTECTION_GAP.length} ms`];
    expect(did).toEqual(gap);
    // A take that begins in the gap also waits, although no gap is due then.
    looks.push(look('third'));
    await new Promise(setImmediate);
    expect(did).toEqual(gap);
    pass();
    await Promise.all(looks);
    expect(new Set(did.slice(3))).toEqual(new Set(['one looks', 'other looks', 'third looks']));
    await look('next');
    expect(did).toHaveLength(7);
  });

  it('goes without protection sooner if its revision is stale', async () => {
    const { did, end, pass, look } = protectedFor(STALE_PROTECTION_GAP, true);
    end();
    pass();
    await look('one');
    expect(did).toEqual(['free', 'protected: false', `${PROTECTION_GAP.length} ms`, 'one looks']);
    const early = protectedFor(STALE_PROTECTION_GAP - 1, true);
    await early.look('one');
    expect(early.did).toEqual(['one looks']);
  });

  it('keeps its protection until a gap is due', async () => {
    const { did, look } = protectedFor(PROTECTION_GAP.every - 1);
    await look('one');
    expect(did).toEqual(['one looks']);
  });
});
