/** A service whose tasks are no processes: a test starts and ends them by hand. */

import type { FleetDefinitions, ServiceDefinition } from '../../local/fleet/definitions.ts';
import { noServices } from '../../local/fleet/definitions.ts';
import { serviceArn } from '../../local/fleet/names.ts';
import { type Service, startService } from '../../local/fleet/service.ts';
import type { Task } from '../../local/fleet/task.ts';
import { createTaskRecord, type StopCause } from '../../local/fleet/task-state.ts';
import { fakeClock } from './fleet-clock.ts';

export interface FakeTask extends Task {
  /** All its containers run. */
  run(): void;
  end(reason: string): void;
  readonly stops: readonly { readonly cause: StopCause; readonly limit?: number | undefined }[];
}

export const definition: ServiceDefinition = {
  name: 'echo',
  serviceName: 'echo-Service',
  cluster: 'fleet',
  desiredCount: 1,
  taskTags: { endpoint: 'echo' },
  properties: {},
  declared: 'echo',
  taskDefinition: {
    arn: 'arn:aws:ecs:us-east-1:000000000000:task-definition/echo:1',
    family: 'echo',
    role: 'echo-role',
    roleArn: 'arn:aws:iam::000000000000:role/echo-role',
    containers: [],
  },
};

export interface SmallFleet {
  readonly definitions: FleetDefinitions;
  readonly service: Service;
  readonly clock: ReturnType<typeof fakeClock>;
  readonly tasks: readonly FakeTask[];
  readonly notes: readonly string[];
  readonly remembered: readonly number[];
}

/** @param stopsAtOnce whether a task that is asked to stop has stopped then */
export function smallFleet(desiredCount: number, { stopsAtOnce = true } = {}): SmallFleet {
  const clock = fakeClock();
  const tasks: FakeTask[] = [];
  const notes: string[] = [];
  const remembered: number[] = [];

  function fakeTask(): FakeTask {
    const id = String(tasks.length).padStart(32, '0');
    const record = createTaskRecord(definition, id, clock, () => undefined);
    const { promise: ended, resolve: settleEnd } = Promise.withResolvers<string>();
    const { promise: ready, resolve: settleReady } = Promise.withResolvers<boolean>();
    const stops: { cause: StopCause; limit?: number | undefined }[] = [];
    const end = (reason: string) => {
      record.change({ lastStatus: 'STOPPED', desiredStatus: 'STOPPED', stoppedAt: new Date(clock.now()) });
      settleReady(false);
      settleEnd(reason);
    };
    return {
      id,
      ready,
      ended,
      stops,
      end,
      state: record.state,
      run() {
        record.change({ lastStatus: 'RUNNING' });
        settleReady(true);
      },
      stop(cause, limit) {
        stops.push({ cause, limit });
        record.change({ lastStatus: 'STOPPING', desiredStatus: 'STOPPED', ...cause });
        if (stopsAtOnce) end('it was asked to stop');
        return ended;
      },
      crash: () => end('signal SIGKILL'),
    };
  }

  const service = startService({
    definition,
    desiredCount,
    clock,
    note: (text) => notes.push(text),
    remember: (count) => remembered.push(count),
    startTask() {
      const task = fakeTask();
      tasks.push(task);
      return task;
    },
  });
  const definitions = noServices();
  definitions.clusters.add(definition.cluster);
  definitions.running.set(serviceArn(definition.cluster, definition.serviceName), service);
  return { definitions, service, clock, tasks, notes, remembered };
}
