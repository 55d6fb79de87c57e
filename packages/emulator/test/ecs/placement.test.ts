/** Tests a provider without capacity for a task, and a service that retries. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { placementFailure, pullFailure, refusalOf } from '../../ecs/placement.ts';
import { startService } from '../../ecs/service.ts';
import { newFolder } from '../small-service.ts';
import { definition, smallEcs } from './small-ecs.ts';
import { fakeClock } from './test-clock.ts';

const folder = newFolder();
const file = join(folder, 'placement.yaml');

beforeEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

describe('capacity for a task', () => {
  it('is refused while a file names the service, and available again afterwards', () => {
    expect(refusalOf(undefined, definition)).toBeUndefined();
    expect(refusalOf(file, definition)).toBeUndefined();
    writeFileSync(file, 'echo: RESOURCE:GPU\n');
    expect(refusalOf(file, definition)).toBe('RESOURCE:GPU');
    expect(refusalOf(file, { ...definition, name: 'other' })).toBeUndefined();
    writeFileSync(file, '');
    expect(refusalOf(file, definition)).toBeUndefined();
    writeFileSync(file, '- echo');
    expect(() => refusalOf(file, definition)).toThrow('must map names of stacks to messages');
  });

  it('is requested again until the provider has capacity', async () => {
    const clock = fakeClock();
    const places = [false, false, true];
    let started = 0;
    const service = startService({
      definition,
      desiredCount: 1,
      clock,
      notify: () => undefined,
      publish: () => undefined,
      remember: () => undefined,
      hasPlace: () => places.shift() ?? false,
      startTask() {
        started += 1;
        const [task] = smallEcs(1).tasks;
        if (!task) throw new Error('There is no task.');
        return task;
      },
    });
    expect(started).toBe(0);
    await clock.pass(1_000);
    expect(started).toBe(0);
    await clock.pass(1_999);
    expect(started).toBe(0);
    await clock.pass(1);
    expect([started, service.tasks()]).toMatchObject([1, { length: 1 }]);
  });

  it('is refused with the reason of the provider', () => {
    expect(placementFailure(definition, 'RESOURCE:GPU', fakeClock())).toMatchObject({
      source: 'aws.ecs',
      'detail-type': 'ECS Service Action',
      resources: ['arn:aws:ecs:us-east-1:000000000000:service/fleet/echo-Service'],
      detail: {
        eventName: 'SERVICE_TASK_PLACEMENT_FAILURE',
        reason: 'RESOURCE:GPU',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    });
  });

  it('is reported as unavailable when the image cannot be pulled', () => {
    const stoppedReason = 'CannotPullContainerError: image x cannot be pulled';
    const failure = pullFailure(definition, { lastStatus: 'STOPPED', stoppedReason }, fakeClock());
    expect(failure).toMatchObject({ detail: { eventName: 'SERVICE_TASK_PLACEMENT_FAILURE', reason: stoppedReason } });
    expect(pullFailure(definition, { lastStatus: 'STOPPING', stoppedReason }, fakeClock())).toBeUndefined();
    const exited = { lastStatus: 'STOPPED', stoppedReason: 'Essential container in task exited' } as const;
    expect(pullFailure(definition, exited, fakeClock())).toBeUndefined();
  });
});
