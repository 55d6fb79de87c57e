/** Tests how the memory of a process for bodies and responses is shared among endpoints and waiting calls. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { payloadLimits } from '../../core/limits.ts';
import { createMemory, type Memory, MemoryFull } from '../../ingress/memory.ts';
import { memoryLimits } from '../../ingress/transfer-limits.ts';

const maxBody = payloadLimits.body.runsync;

/** @returns the number of further bodies of the maximum size that the endpoint can hold */
function takeAll(memory: Memory, endpoint: string): number {
  for (let taken = 0; ; taken += 1)
    try {
      memory.open(endpoint).grow(maxBody);
    } catch (error) {
      expect(error).toBeInstanceOf(MemoryFull);
      return taken;
    }
}

describe('the memory of an endpoint', () => {
  it('holds 16 bodies of the maximum size, and leaves room for other endpoints', () => {
    const memory = createMemory();
    expect(['a', 'b', 'c', 'd'].map((endpoint) => takeAll(memory, endpoint))).toEqual([16, 8, 4, 2]);
    expect(memory.held).toBe(30 * maxBody);
    expect(memory.held).toBeLessThan(memoryLimits.budget);
  });

  it('is freed only once if it is released twice', () => {
    const memory = createMemory(100);
    const share = memory.open('a');
    share.grow(30);
    share.grow(50);
    share.grow(10);
    expect(memory.held).toBe(50);
    expect(() => memory.open('a').grow(1)).toThrow(MemoryFull);
    share.release();
    share.release();
    expect(memory.held).toBe(0);
    expect(() => share.grow(1)).toThrow(MemoryFull);
    memory.open('a').grow(50);
  });
});

describe('a call that waits for memory', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Starts calls that need the given number of bytes each. `ended` names the calls that got them or failed. */
  function wait(memory: Memory, wanted: Readonly<Record<string, number>>) {
    const ended: string[] = [];
    const shares = Object.entries(wanted).map(([name, bytes]) => {
      const share = memory.open(name.charAt(0));
      share.growInTime(bytes, 1_000).then(
        () => ended.push(name),
        (error: Error) => ended.push(`${name}: ${error.constructor.name}`),
      );
      return share;
    });
    return { ended, shares };
  }

  it('gets memory in its turn, before new calls of the endpoint', async () => {
    const memory = createMemory(100);
    const first = memory.open('a');
    first.grow(45);
    const { ended, shares } = wait(memory, { a1: 50, a2: 5, b1: 20 });
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['b1']);
    shares[2]?.release();
    expect(() => memory.open('a').grow(1)).toThrow(MemoryFull);
    const one = memory.open('b');
    one.grow(1);
    one.release();
    first.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['b1', 'a1']);
    shares[0]?.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['b1', 'a1', 'a2']);
    expect(memory.held).toBe(5);
  });

  it('fails after its time limit, and the next call gets memory', async () => {
    const memory = createMemory(100);
    memory.open('a').grow(45);
    const { ended } = wait(memory, { a1: 50, a2: 5 });
    await jest.advanceTimersByTimeAsync(999);
    expect(ended).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(new Set(ended)).toEqual(new Set(['a1: MemoryFull', 'a2']));
  });

  it('ends when its client disconnects, and holds no memory', async () => {
    const memory = createMemory(100);
    const first = memory.open('a');
    first.grow(50);
    const { ended, shares } = wait(memory, { a1: 50 });
    shares[0]?.release();
    first.release();
    await jest.advanceTimersByTimeAsync(0);
    expect([ended, memory.held]).toEqual([['a1: MemoryFull'], 0]);
  });
});
