import { describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../../local/fleet/service.ts';
import type { Task } from '../../local/fleet/task.ts';
import { eventually } from './small-service.ts';

interface FakeTask extends Task {
  end(reason: string): void;
  readonly limits: (number | undefined)[];
}

/** A task that runs until it is told to end. */
function fakeTask(): FakeTask {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const limits: (number | undefined)[] = [];
  return {
    ready: Promise.resolve(true),
    ended,
    limits,
    end: resolve,
    stop(limit) {
      limits.push(limit);
      resolve('it was asked to stop');
      return ended;
    },
  };
}

/** A service whose clock and pauses the test owns. */
function fakeService(desiredCount: number) {
  const tasks: FakeTask[] = [];
  const pauses: number[] = [];
  const notes: string[] = [];
  let time = 0;
  const service: Service = startService({
    name: 'echo',
    desiredCount,
    startTask() {
      const task = fakeTask();
      tasks.push(task);
      return task;
    },
    note: (text) => notes.push(text),
    now: () => time,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  });
  /** Ends the newest task after it has lived so long, and waits for the next. */
  const endAfter = async (life: number, reason = 'exit code 1') => {
    time += life;
    const count = tasks.length;
    tasks.at(-1)?.end(reason);
    await eventually('another task starts', () => tasks.length > count);
  };
  return { service, tasks, pauses, notes, endAfter };
}

describe('a service', () => {
  it('has its desired number of tasks', async () => {
    const { service, tasks } = fakeService(3);
    await service.settled;
    expect(tasks).toHaveLength(3);
    await service.stop(1_000);
  });

  it('without tasks is settled', async () => {
    const { service, tasks } = fakeService(0);
    await service.settled;
    await service.stop(1_000);
    expect(tasks).toEqual([]);
  });

  it('replaces a task that had lived at once', async () => {
    const { service, pauses, endAfter } = fakeService(1);
    await endAfter(10_000);
    expect(pauses).toEqual([]);
    await service.stop(1_000);
  });

  it('waits longer and longer for tasks that die young, until one lives', async () => {
    const { service, pauses, endAfter } = fakeService(1);
    for (let n = 0; n < 7; n += 1) await endAfter(9_999);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await endAfter(10_000);
    await endAfter(0);
    expect(pauses.slice(7)).toEqual([1_000]);
    await service.stop(1_000);
  });

  it('says why a task ended, each reason once', async () => {
    const { service, notes, endAfter } = fakeService(1);
    await endAfter(0, 'no image');
    await endAfter(0, 'no image');
    await endAfter(0, 'exit code 1');
    expect(notes).toEqual([
      'A task of echo ended: no image. The service starts another.',
      'A task of echo ended: exit code 1. The service starts another.',
    ]);
    await service.stop(1_000);
  });

  it('that stops ends all tasks within the limit, and starts no other', async () => {
    const { service, tasks, notes } = fakeService(2);
    await service.stop(1_000);
    expect(tasks.map(({ limits }) => limits)).toEqual([[1_000], [1_000]]);
    expect(notes).toEqual([]);
  });
});
