import { describe, expect, it } from '@jest/globals';
import { rules } from '../../local/fleet/rules.ts';
import { type SmallFleet, smallFleet } from './small-fleet.ts';

/** Ends the newest task after it has lived so long. */
async function endAfter({ clock, tasks }: SmallFleet, life: number, reason = 'exit code 1'): Promise<void> {
  await clock.pass(life);
  tasks.at(-1)?.end(reason);
  await clock.pass(0);
}

/** Lets the longest pause pass, so that a task starts that had to wait. */
const waitForStart = ({ clock }: SmallFleet) => clock.pass(30_000);

const numbersOf = ({ tasks }: SmallFleet) =>
  tasks.flatMap(({ state }, number) => (state().desiredStatus === 'RUNNING' ? [number] : []));

describe('a service', () => {
  it('has its desired number of tasks', async () => {
    const { service, tasks } = smallFleet(3);
    for (const task of tasks) task.run();
    await service.settled;
    expect(tasks).toHaveLength(3);
  });

  it('without tasks is settled', async () => {
    const { service, tasks } = smallFleet(0);
    await service.settled;
    await service.stop(1_000);
    expect(tasks).toEqual([]);
  });

  it('is settled when a first task has failed to start', async () => {
    const { service, tasks } = smallFleet(1);
    tasks[0]?.end('no image');
    await service.settled;
  });

  it('replaces a task that had lived at once', async () => {
    const fleet = smallFleet(1);
    await endAfter(fleet, 10_000);
    expect(fleet.tasks).toHaveLength(2);
    expect(fleet.clock.sleeps).toEqual([]);
  });

  it('replaces a task whose machine is lost at once, however young it was', async () => {
    const fleet = smallFleet(1);
    for (const task of [...fleet.tasks]) fleet.service.lose(task);
    await fleet.clock.pass(0);
    expect(numbersOf(fleet)).toEqual([1]);
    expect(fleet.clock.sleeps).toEqual([]);
  });

  it('loses a protected task two minutes after the warning of its spot capacity', async () => {
    const fleet = smallFleet(1, { stopsAtOnce: false });
    const [task] = fleet.tasks;
    if (!task) throw new Error('There is no task.');
    task.run();
    fleet.service.protect(task, 10);
    fleet.service.interrupt(task);
    expect(task.stops).toEqual([
      { cause: { stopCode: 'SpotInterruption', stoppedReason: 'Your Spot Task was interrupted.' }, limit: 120_000 },
    ]);
    expect(numbersOf(fleet)).toEqual([1]);
    expect(fleet.notes).toEqual([]);
  });

  it('waits longer and longer for tasks that die young, until one lives', async () => {
    const fleet = smallFleet(1);
    for (let n = 0; n < 7; n += 1) {
      await endAfter(fleet, 9_999);
      expect(fleet.tasks).toHaveLength(n + 1);
      await waitForStart(fleet);
      expect(fleet.tasks).toHaveLength(n + 2);
    }
    expect(fleet.clock.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await endAfter(fleet, 10_000);
    await endAfter(fleet, 0);
    expect(fleet.clock.sleeps.slice(7)).toEqual([1_000]);
  });

  it('waits once for tasks that die young together', async () => {
    const fleet = smallFleet(3);
    for (const task of fleet.tasks) task.end('exit code 1');
    await fleet.clock.pass(0);
    expect(fleet.clock.sleeps).toEqual([1_000]);
    await fleet.clock.pass(1_000);
    expect(fleet.tasks).toHaveLength(6);
  });

  it('says why a task ended, each reason once', async () => {
    const fleet = smallFleet(1);
    for (const reason of ['no image', 'no image', 'exit code 1']) {
      await endAfter(fleet, 0, reason);
      await waitForStart(fleet);
    }
    expect(fleet.notes).toEqual([
      'A task of echo ended: no image. The service starts another.',
      'A task of echo ended: exit code 1. The service starts another.',
    ]);
  });

  it('that stops ends all tasks within the limit, and starts no other', async () => {
    const { service, tasks, notes } = smallFleet(2);
    await service.stop(1_000);
    expect(tasks.map(({ stops }) => stops.map(({ limit }) => limit))).toEqual([[1_000], [1_000]]);
    expect(notes).toEqual([]);
    expect(tasks).toHaveLength(2);
  });

  it('that stops hurries the tasks that it had already told to stop', async () => {
    const { service, tasks } = smallFleet(1, { stopsAtOnce: false });
    service.update({ desiredCount: 0 });
    const stopped = service.stop(1_000);
    expect(tasks[0]?.stops.map(({ limit }) => limit)).toEqual([undefined, 1_000]);
    tasks[0]?.end('it was asked to stop');
    await stopped;
  });

  it('forgets a stopped task after an hour', async () => {
    const fleet = smallFleet(1);
    await endAfter(fleet, 10_000);
    await fleet.clock.pass(3_600_000 - 1);
    expect(fleet.service.tasks()).toEqual(fleet.tasks);
    await fleet.clock.pass(1);
    expect(fleet.service.tasks()).toEqual([fleet.tasks[1]]);
  });
});

describe('a service whose desired count is changed', () => {
  it('starts tasks at once when it is scaled up', () => {
    const fleet = smallFleet(0);
    fleet.service.update({ desiredCount: 2 });
    expect(fleet.tasks).toHaveLength(2);
    expect(fleet.remembered).toEqual([2]);
  });

  it('stops those that do not run yet, then the newest, when it is scaled down', () => {
    const fleet = smallFleet(4);
    for (const number of [0, 2, 3]) fleet.tasks[number]?.run();
    fleet.service.update({ desiredCount: 3 });
    expect(numbersOf(fleet)).toEqual([0, 2, 3]);
    fleet.service.update({ desiredCount: 1 });
    expect(numbersOf(fleet)).toEqual([0]);
    expect(fleet.tasks[1]?.stops).toEqual([
      {
        cause: {
          stopCode: 'ServiceSchedulerInitiated',
          stoppedReason: expect.stringMatching(/^Scaling activity initiated by \(deployment ecs-svc\/\d+\)$/),
        },
        limit: undefined,
      },
    ]);
  });

  it('says nothing of tasks that it stops itself, and does not replace them', async () => {
    const fleet = smallFleet(2);
    fleet.service.update({ desiredCount: 0 });
    await fleet.clock.pass(60_000);
    expect(fleet.notes).toEqual([]);
    expect(fleet.tasks).toHaveLength(2);
  });

  it('starts a new task while another still stops', () => {
    const fleet = smallFleet(1, { stopsAtOnce: false });
    fleet.service.update({ desiredCount: 0 });
    fleet.service.update({ desiredCount: 1 });
    expect(numbersOf(fleet)).toEqual([1]);
  });

  it('tries again at once when it is raised while starts wait', async () => {
    const fleet = smallFleet(1);
    await endAfter(fleet, 0);
    fleet.service.update({ desiredCount: 1 });
    expect(fleet.tasks).toHaveLength(1);
    fleet.service.update({ desiredCount: 2 });
    expect(fleet.tasks).toHaveLength(3);
    await endAfter(fleet, 0);
    expect(fleet.clock.sleeps).toEqual([1_000, 2_000]);
  });

  it('does not start what is no longer desired after a pause', async () => {
    const fleet = smallFleet(1);
    await endAfter(fleet, 0);
    fleet.service.update({ desiredCount: 0 });
    await waitForStart(fleet);
    expect(fleet.tasks).toHaveLength(1);
  });
});

describe('a task that is attached to a service', () => {
  const attachment = { port: 0, start: () => Promise.reject(new Error('These tasks have no processes.')) as never };

  it('stands in for the tasks of the service, whatever it shall have', async () => {
    const fleet = smallFleet(2);
    fleet.service.attach(attachment);
    expect(numbersOf(fleet)).toEqual([2]);
    fleet.service.update({ desiredCount: 3 });
    fleet.service.update({ desiredCount: 0 });
    expect(numbersOf(fleet)).toEqual([2]);
    fleet.service.update({ desiredCount: 1 });
    fleet.tasks[2]?.end('exit code 0');
    await fleet.clock.pass(0);
    expect(numbersOf(fleet)).toEqual([3]);
    expect(fleet.notes).toEqual([]);
  });

  it('stands in no longer once it is to stop, however long its command takes to end', () => {
    const fleet = smallFleet(1, { stopsAtOnce: false });
    const task = fleet.service.attach(attachment);
    expect(numbersOf(fleet)).toEqual([1]);
    void task.stop(rules.stoppedByUser.value);
    expect(numbersOf(fleet)).toEqual([2]);
  });

  it('ends with the service', async () => {
    const fleet = smallFleet(0);
    const task = fleet.service.attach(attachment);
    await fleet.service.stop(1_000);
    expect(await task.ended).toBe('it was asked to stop');
    expect(numbersOf(fleet)).toEqual([]);
  });
});
