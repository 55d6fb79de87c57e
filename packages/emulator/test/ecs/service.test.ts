import { describe, expect, it } from '@jest/globals';
import { rules } from '../../ecs/rules.ts';
import { type SmallEcs, smallEcs } from './small-ecs.ts';

/** Stops the newest task after this lifetime. */
async function endAfter({ clock, tasks }: SmallEcs, life: number, reason = 'exit code 1'): Promise<void> {
  await clock.pass(life);
  tasks.at(-1)?.end(reason);
  await clock.pass(0);
}

/** Lets the longest pause pass, after which a delayed task starts. */
const waitForStart = ({ clock }: SmallEcs) => clock.pass(30_000);

const numbersOf = ({ tasks }: SmallEcs) =>
  tasks.flatMap(({ state }, number) => (state().desiredStatus === 'RUNNING' ? [number] : []));

describe('a service', () => {
  it('has its desired number of tasks', async () => {
    const { service, tasks } = smallEcs(3);
    for (const task of tasks) task.run();
    await service.settled;
    expect(tasks).toHaveLength(3);
  });

  it('is stable without tasks', async () => {
    const { service, tasks } = smallEcs(0);
    await service.settled;
    await service.stop(1_000);
    expect(tasks).toEqual([]);
  });

  it('is stable when a first task has failed to start', async () => {
    const { service, tasks } = smallEcs(1);
    tasks[0]?.end('no image');
    await service.settled;
  });

  it('replaces a task immediately if it had run for long enough', async () => {
    const ecs = smallEcs(1);
    await endAfter(ecs, 10_000);
    expect(ecs.tasks).toHaveLength(2);
    expect(ecs.clock.sleeps).toEqual([]);
  });

  it('replaces a task immediately if its machine is lost, even shortly after its start', async () => {
    const ecs = smallEcs(1);
    for (const task of [...ecs.tasks]) ecs.service.lose(task);
    await ecs.clock.pass(0);
    expect(numbersOf(ecs)).toEqual([1]);
    expect(ecs.clock.sleeps).toEqual([]);
  });

  it('loses a protected task two minutes after the warning of its spot capacity', async () => {
    const ecs = smallEcs(1, { stopsAtOnce: false });
    const [task] = ecs.tasks;
    if (!task) throw new Error('There is no task.');
    task.run();
    ecs.service.protect(task, 10);
    ecs.service.interrupt(task);
    expect(task.stops).toEqual([
      { cause: { stopCode: 'SpotInterruption', stoppedReason: 'Your Spot Task was interrupted.' }, limit: 120_000 },
    ]);
    expect(numbersOf(ecs)).toEqual([1]);
    expect(ecs.notices).toEqual([]);
  });

  it('waits longer after each task that stops soon after its start, until a task keeps running', async () => {
    const ecs = smallEcs(1);
    for (let n = 0; n < 7; n += 1) {
      await endAfter(ecs, 9_999);
      expect(ecs.tasks).toHaveLength(n + 1);
      await waitForStart(ecs);
      expect(ecs.tasks).toHaveLength(n + 2);
    }
    expect(ecs.clock.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await endAfter(ecs, 10_000);
    await endAfter(ecs, 0);
    expect(ecs.clock.sleeps.slice(7)).toEqual([1_000]);
  });

  it('waits only one time for tasks that stop together soon after their start', async () => {
    const ecs = smallEcs(3);
    for (const task of ecs.tasks) task.end('exit code 1');
    await ecs.clock.pass(0);
    expect(ecs.clock.sleeps).toEqual([1_000]);
    await ecs.clock.pass(1_000);
    expect(ecs.tasks).toHaveLength(6);
  });

  it('prints why a task stopped, each reason only one time', async () => {
    const ecs = smallEcs(1);
    for (const reason of ['no image', 'no image', 'exit code 1']) {
      await endAfter(ecs, 0, reason);
      await waitForStart(ecs);
    }
    expect(ecs.notices).toEqual([
      'A task of echo stopped: no image. The service starts another.',
      'A task of echo stopped: exit code 1. The service starts another.',
    ]);
  });

  it('stops all tasks within the limit when it stops, and starts no further tasks', async () => {
    const { service, tasks, notices } = smallEcs(2);
    await service.stop(1_000);
    expect(tasks.map(({ stops }) => stops.map(({ limit }) => limit))).toEqual([[1_000], [1_000]]);
    expect(notices).toEqual([]);
    expect(tasks).toHaveLength(2);
  });

  it('shortens the time limit of tasks that are already stopping when it stops', async () => {
    const { service, tasks } = smallEcs(1, { stopsAtOnce: false });
    service.update({ desiredCount: 0 });
    const stopped = service.stop(1_000);
    expect(tasks[0]?.stops.map(({ limit }) => limit)).toEqual([undefined, 1_000]);
    tasks[0]?.end('it was asked to stop');
    await stopped;
  });

  it('forgets a stopped task after an hour', async () => {
    const ecs = smallEcs(1);
    await endAfter(ecs, 10_000);
    await ecs.clock.pass(3_600_000 - 1);
    expect(ecs.service.tasks()).toEqual(ecs.tasks);
    await ecs.clock.pass(1);
    expect(ecs.service.tasks()).toEqual([ecs.tasks[1]]);
  });
});

describe('a service whose desired count is changed', () => {
  it('starts tasks immediately when it is scaled up', () => {
    const ecs = smallEcs(0);
    ecs.service.update({ desiredCount: 2 });
    expect(ecs.tasks).toHaveLength(2);
    expect(ecs.remembered).toEqual([2]);
  });

  it('stops tasks that do not run yet, then the newest, when it is scaled down', () => {
    const ecs = smallEcs(4);
    for (const number of [0, 2, 3]) ecs.tasks[number]?.run();
    ecs.service.update({ desiredCount: 3 });
    expect(numbersOf(ecs)).toEqual([0, 2, 3]);
    ecs.service.update({ desiredCount: 1 });
    expect(numbersOf(ecs)).toEqual([0]);
    expect(ecs.tasks[1]?.stops).toEqual([
      {
        cause: {
          stopCode: 'ServiceSchedulerInitiated',
          stoppedReason: expect.stringMatching(/^Scaling activity initiated by \(deployment ecs-svc\/\d+\)$/),
        },
        limit: undefined,
      },
    ]);
  });

  it('prints nothing for tasks that it stops itself, and does not replace them', async () => {
    const ecs = smallEcs(2);
    ecs.service.update({ desiredCount: 0 });
    await ecs.clock.pass(60_000);
    expect(ecs.notices).toEqual([]);
    expect(ecs.tasks).toHaveLength(2);
  });

  it('starts a new task while another task is still stopping', () => {
    const ecs = smallEcs(1, { stopsAtOnce: false });
    ecs.service.update({ desiredCount: 0 });
    ecs.service.update({ desiredCount: 1 });
    expect(numbersOf(ecs)).toEqual([1]);
  });

  it('starts tasks immediately when it is scaled up during a pause', async () => {
    const ecs = smallEcs(1);
    await endAfter(ecs, 0);
    ecs.service.update({ desiredCount: 1 });
    expect(ecs.tasks).toHaveLength(1);
    ecs.service.update({ desiredCount: 2 });
    expect(ecs.tasks).toHaveLength(3);
    await endAfter(ecs, 0);
    expect(ecs.clock.sleeps).toEqual([1_000, 2_000]);
  });

  it('starts no task after a pause if the task is no longer desired', async () => {
    const ecs = smallEcs(1);
    await endAfter(ecs, 0);
    ecs.service.update({ desiredCount: 0 });
    await waitForStart(ecs);
    expect(ecs.tasks).toHaveLength(1);
  });
});

describe('a task that is attached to a service', () => {
  const attachment = { port: 0, start: () => Promise.reject(new Error('These tasks have no processes.')) as never };

  it('replaces the tasks of the service, regardless of the desired count', async () => {
    const ecs = smallEcs(2);
    ecs.service.attach(attachment);
    expect(numbersOf(ecs)).toEqual([2]);
    ecs.service.update({ desiredCount: 3 });
    ecs.service.update({ desiredCount: 0 });
    expect(numbersOf(ecs)).toEqual([2]);
    ecs.service.update({ desiredCount: 1 });
    ecs.tasks[2]?.end('exit code 0');
    await ecs.clock.pass(0);
    expect(numbersOf(ecs)).toEqual([3]);
    expect(ecs.notices).toEqual([]);
  });

  it('does not replace tasks of the service while it is stopping, even if its command stops slowly', () => {
    const ecs = smallEcs(1, { stopsAtOnce: false });
    const task = ecs.service.attach(attachment);
    expect(numbersOf(ecs)).toEqual([1]);
    void task.stop(rules.stoppedByUser.value);
    expect(numbersOf(ecs)).toEqual([2]);
  });

  it('stops together with the service', async () => {
    const ecs = smallEcs(0);
    const task = ecs.service.attach(attachment);
    await ecs.service.stop(1_000);
    expect(await task.ended).toBe('it was asked to stop');
    expect(numbersOf(ecs)).toEqual([]);
  });
});
