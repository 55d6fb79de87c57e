/** Tests that the run time of workers is added to their templates, over the emulators. */
import { describe, expect, it } from '@jest/globals';
import { createReleasePorts } from '../../aws/releases/ports.ts';
import { addRunTime } from '../../core/fleet/run-time.ts';
import { MINUTE } from '../../core/limits.ts';
import { keyOf } from '../../core/releases/history.ts';
import { taskEvent } from '../fleet/events.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from './settings.ts';

useEmulatedDeployment();

describe('a worker that has stopped', () => {
  it('adds its run time once, from start to end, to the template of its revision', async () => {
    const { history, templates } = createReleasePorts();
    for (const id of ['one', 'two']) await templates.create(templateOf({ id, name: id }));
    const state = 'COMPLETED';
    await history.begin('me', {
      key: keyOf(1),
      record: { state, revision: 1, template: 'one', version: 1, startedAt: 0 },
    });
    await history.begin('me', {
      key: keyOf(2),
      record: { state, revision: 2, template: 'two', version: 1, startedAt: 0 },
    });
    const stops = (worker: string, revision: number | undefined, minutes: number | undefined) => {
      const known = { ...(revision !== undefined && { revision }), ...(minutes !== undefined && { startedAt: 0 }) };
      const event = taskEvent({ worker, ...known, stoppedAt: (minutes ?? 0) * MINUTE, at: 100 * MINUTE });
      return addRunTime({ history, templates }, 'me', event);
    };
    await stops('a', 1, 2);
    await stops('a', 1, 2);
    await stops('b', 1, 3);
    await stops('c', 2, 7);
    // A task that never ran, a task of an unknown revision, and an event without a revision.
    await stops('d', 2, undefined);
    await stops('e', 3, 1);
    await stops('f', undefined, 1);
    const ran = await templates.runTimes(['one', 'two']);
    expect([...ran]).toEqual(
      expect.arrayContaining([
        ['one', 5 * MINUTE],
        ['two', 7 * MINUTE],
      ]),
    );
  });
});
