/** ECS on this machine: the services of all stacks. */
import type { ServiceDefinition } from './definitions.ts';
import { startMetadataServer } from './metadata.ts';
import { type Service, startService } from './service.ts';
import { type Host, startTask } from './task.ts';

export interface Fleet {
  /** Resolves when every service has its tasks, or has failed to start them once. */
  readonly settled: Promise<void>;
  /** @param limit milliseconds until the last task has ended */
  stop(limit: number): Promise<void>;
}

export async function startFleet(
  definitions: readonly ServiceDefinition[],
  host: Omit<Host, 'metadata'>,
  note: (text: string) => void,
): Promise<Fleet> {
  const metadata = await startMetadataServer();
  const services: Service[] = definitions.map((definition) => {
    const { name, desiredCount } = definition;
    return startService({ name, desiredCount, note, startTask: () => startTask(definition, { ...host, metadata }) });
  });
  return {
    settled: Promise.all(services.map(({ settled }) => settled)).then(() => undefined),
    async stop(limit) {
      await Promise.all(services.map((service) => service.stop(limit)));
      metadata.close();
    },
  };
}
