/** Tests the history of workers from events of ECS to its list. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { type TaskEvent, workerEventFrom } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { historyLimits } from '../../core/history/limits.ts';
import { listEndedWorkers } from '../../core/history/list-workers.ts';
import { HOUR, MINUTE, SECOND } from '../../core/limits.ts';
import { EndpointNotFound, InvalidRequest } from '../../core/requests/errors.ts';
import { taskEvent } from '../fleet/events.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { clock } = emulated;
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });

const stops = (service: string, worker: string, differences: Partial<TaskEvent> = {}) =>
  observe(ports, taskEvent({ service, worker, at: clock.now(), ...differences }));

const iso = (time: number) => new Date(time).toISOString();

beforeEach(() => clock.advance(MINUTE));

describe('a worker that has stopped', () => {
  it('is listed with its start, its exit code and the messages of ECS', async () => {
    await emulated.deploy('ew-a');
    const start = clock.now();
    clock.advance(20 * SECOND);
    await stops('ew-a', 'w1', {
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      capacityProviderName: 'pool-a10',
      containerInstanceArn: 'arn:aws:ecs:us-east-1:123456789012:container-instance/cluster/abc',
      containers: [
        { name: 'agent', exitCode: 0 },
        { name: 'worker', exitCode: 137, reason: 'OutOfMemoryError: Container killed' },
      ],
      createdAt: start,
      pullStartedAt: start + 2 * SECOND,
      pullStoppedAt: start + 9 * SECOND,
      startedAt: start + 10 * SECOND,
      stoppedAt: clock.now(),
    });
    const { workers } = await listEndedWorkers(ports, { endpoint: 'ew-a' });
    expect(workers).toEqual([
      {
        id: 'w1',
        capacity: 'pool-a10',
        instance: 'abc',
        createdAt: iso(start),
        endedAt: iso(start + 20 * SECOND),
        stopCode: 'EssentialContainerExited',
        reason: 'Essential container in task exited OutOfMemoryError: Container killed',
        container: 'worker',
        exitCode: 137,
        completed: 0,
        failed: 0,
        timeline: expect.arrayContaining([expect.objectContaining({ stage: 'IMAGE', duration: 7 * SECOND })]),
      },
    ]);
  });

  it('is listed with the type and the stages of its instance', async () => {
    await emulated.deploy('ew-g');
    const start = clock.now();
    const arn = 'arn:aws:ecs:us-east-1:123456789012:container-instance/cluster/def';
    const registered = workerEventFrom({
      'detail-type': 'ECS Container Instance State Change',
      time: iso(start + 40 * SECOND),
      detail: {
        containerInstanceArn: arn,
        ec2InstanceId: 'i-1',
        registeredAt: iso(start + 40 * SECOND),
        attributes: [
          { name: 'ecs.ami-id', value: 'ami-1' },
          { name: 'ecs.instance-type', value: 'g6.xlarge' },
        ],
      },
    });
    await observe(ports, registered);
    clock.advance(MINUTE);
    await stops('ew-g', 'w1', { containerInstanceArn: arn, createdAt: start, stoppedAt: start + MINUTE });
    const { workers } = await listEndedWorkers(ports, { endpoint: 'ew-g' });
    expect(workers[0]).toMatchObject({
      type: 'g6.xlarge',
      timeline: expect.arrayContaining([expect.objectContaining({ stage: 'BOOT', duration: 40 * SECOND })]),
    });
  });

  it('is listed with the price of its time on a machine', async () => {
    await emulated.deploy('ew-h', { workerPrice: { hour: 3.6, date: '2026-11-01', region: 'us-east-1' } });
    const start = clock.now();
    clock.advance(MINUTE);
    await stops('ew-h', 'w1', { createdAt: start, pullStartedAt: start + SECOND, stoppedAt: start + 11 * SECOND });
    await stops('ew-h', 'w2', { createdAt: start, startedAt: undefined, stoppedAt: start + SECOND });
    const { workers } = await listEndedWorkers(ports, { endpoint: 'ew-h' });
    expect(workers.map(({ id, dollars }) => [id, dollars])).toEqual([
      ['w1', 0.01],
      ['w2', undefined],
    ]);
  });

  it('is listed once, although events of its stop arrive twice', async () => {
    await emulated.deploy('ew-b');
    const at = clock.now();
    await stops('ew-b', 'w1', { stoppedAt: at });
    clock.advance(SECOND);
    await stops('ew-b', 'w1', { stoppedAt: at });
    await stops('ew-b', 'w2', { stoppedAt: at, lastStatus: 'STOPPING' });
    const { workers } = await listEndedWorkers(ports, { endpoint: 'ew-b' });
    expect(workers.map(({ id }) => id)).toEqual(['w1']);
  });

  it('is listed on the page of its time, newest first', async () => {
    await emulated.deploy('ew-c');
    for (const worker of ['w1', 'w2', 'w3']) {
      clock.advance(HOUR);
      await stops('ew-c', worker);
    }
    const first = await listEndedWorkers(ports, { endpoint: 'ew-c', limit: '2' });
    expect(first.workers.map(({ id }) => id)).toEqual(['w3', 'w2']);
    expect(first.readTo).toBe(first.workers[1]?.endedAt);
    const rest = await listEndedWorkers(ports, { endpoint: 'ew-c', limit: '2', cursor: first.nextCursor });
    expect(rest.workers.map(({ id }) => id)).toEqual(['w1']);
    expect(rest).not.toHaveProperty('nextCursor');
    const recent = await listEndedWorkers(ports, { endpoint: 'ew-c', since: iso(clock.now() - MINUTE) });
    expect(recent.workers.map(({ id }) => id)).toEqual(['w3']);
  });

  it('has messages of a limited length', async () => {
    await emulated.deploy('ew-d');
    await stops('ew-d', 'w1', { stoppedReason: 'é'.repeat(2_000) });
    const { workers } = await listEndedWorkers(ports, { endpoint: 'ew-d' });
    expect(Buffer.byteLength(workers[0]?.reason ?? '')).toBeLessThanOrEqual(historyLimits.stopReason);
  });

  it('is not stored if the deployment keeps no history', async () => {
    await emulated.deploy('ew-e');
    const saved: unknown[] = [];
    const save = async (rows: readonly unknown[]) => void saved.push(...rows);
    const without = portsWith(ports, { workerHistory: { ...ports.workerHistory, isKept: false, save } });
    await observe(without, taskEvent({ service: 'ew-e', worker: 'w1', at: clock.now() }));
    expect(saved).toEqual([]);
  });
});

describe('the list of stopped workers', () => {
  it('is refused for an unknown endpoint and invalid parameters', async () => {
    await expect(listEndedWorkers(ports, { endpoint: 'none' })).rejects.toThrow(EndpointNotFound);
    await emulated.deploy('ew-f');
    await expect(listEndedWorkers(ports, { endpoint: 'ew-f', since: 'x' })).rejects.toThrow(InvalidRequest);
    await expect(listEndedWorkers(ports, { endpoint: 'ew-f', cursor: 'x' })).rejects.toThrow(InvalidRequest);
  });
});
