import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { endsWithin, systemClock } from '../core/clock.ts';

const HOUR = 3_600_000;
/** Returns whether the work is over, or ends without waiting for a timer. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  void work.then(() => {
    over = true;
  });
  await turn();
  return over;
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('a pause of the clock', () => {
  it('ends as soon as its signal aborts, and leaves no timer', async () => {
    const before = timers();
    const end = new AbortController();
    const pause = systemClock.pause(HOUR, end.signal);
    expect(timers()).toBe(before + 1);
    end.abort();
    expect(await isOver(pause)).toBe(true);
    expect(timers()).toBe(before);
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });

  it('does not begin if its signal has aborted', async () => {
    const before = timers();
    expect(await isOver(systemClock.pause(HOUR, AbortSignal.abort()))).toBe(true);
    expect(timers()).toBe(before);
  });

  it('ends after its time', async () => {
    await systemClock.pause(1, new AbortController().signal);
    await systemClock.pause(1);
  });
});

describe('a wait with a time limit', () => {
  it('ends with its work, and leaves no timer', async () => {
    const before = timers();
    expect(await endsWithin(HOUR, Promise.resolve())).toBe(true);
    expect(await endsWithin(HOUR, Promise.reject(new Error('failed')))).toBe(true);
    expect(timers()).toBe(before);
  });

  it('ends when its time is over', async () => {
    expect(await endsWithin(1, new Promise(() => undefined))).toBe(false);
  });
});
