/** Delivers changes of tables, changes of tasks and scheduled events to functions. */

import type { AwsProxy } from '../aws-proxy/server.ts';
import type { Cloud } from '../cloud.ts';
import type { Emulators } from '../emulators/emulators.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { startEventSources } from '../streams/event-sources.ts';
import { createEventBus, type EventBus } from './bus.ts';

export interface Events {
  readonly bus: EventBus;
  /** Begins to read streams and to run schedules. */
  start(): void;
  stop(): Promise<void>;
}

export function createEvents(
  cloud: Cloud,
  emulators: Emulators,
  authorize: AwsProxy['authorize'],
  state: StateDirectory,
  notify: (text: string) => void,
): Events {
  const bus = createEventBus(cloud.functions, cloud.rules, notify);
  let stopSources = async () => {};
  return {
    bus,
    start() {
      const sources = startEventSources(cloud, emulators, authorize, state, notify);
      stopSources = sources.stop;
      bus.start();
    },
    async stop() {
      bus.stop();
      await stopSources();
    },
  };
}
