/** Starts the service of the burst: endpoints with and without workers, keys, and an inspector of the process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declare } from '../../lib/synthesis.ts';
import { type Inspector, openInspector } from '../../support/inspector.ts';
import { newStateDir, type Service, startService } from '../../support/service.ts';
import { assemblyWith } from '../added-endpoints.ts';
import { type Client, createClient } from '../api/client.ts';
import { operatorDocuments, operatorKeys, unknownSecret } from '../operator-keys.ts';
import { BYSTANDER, FLOODED, HELD, type KeyName, MISSING, RUNNING } from './endpoints.ts';

/** An idle timeout that is longer than the burst, in milliseconds: the first job of each burst waits for no start. */
const IDLE_TIMEOUT = 600_000;
/** A worker runs this many jobs at the same time, so that the jobs end soon after the burst. */
const CONCURRENCY = 20;

export interface Scene {
  readonly service: Service;
  readonly keys: Readonly<Record<KeyName, string>>;
  /** A client that repeats refused requests, with the key for the endpoints of the burst. */
  readonly client: Client;
  readonly inspector: Inspector;
  /** Path of the log that the endpoint's handlers write. */
  logOf(endpoint: string): string;
}

async function makeKeys(stateDir: string): Promise<Scene['keys']> {
  const { make, revoke } = operatorKeys(operatorDocuments(stateDir), stateDir);
  const wide = { endpoints: [...RUNNING, HELD, MISSING], operations: ['*'] };
  const revoked = await make('revoked', wide);
  await revoke(revoked);
  return {
    wide: await make('wide', wide),
    other: await make('other', { endpoints: [BYSTANDER], operations: ['*'] }),
    revoked,
    unknown: unknownSecret(),
  };
}

export async function setScene(): Promise<Scene> {
  const stateDir = newStateDir();
  const logOf = (endpoint: string) => join(stateDir, `effects-${endpoint}`);
  const endpoints = [...RUNNING, HELD, BYSTANDER].map((id) =>
    declare(id, {
      image: 'gpu-endpoints/example-echo',
      volumeInGb: 0,
      // The queue of `flooded` is full above 500 jobs; that of `steady` admits all its jobs.
      maxWorkers: id === FLOODED ? 1 : 2,
      concurrency: CONCURRENCY,
      idleTimeout: IDLE_TIMEOUT,
      env: { EFFECTS_LOG: logOf(id) },
    }),
  );
  const assembly = join(stateDir, 'changed-assembly');
  await assemblyWith(assembly, endpoints);
  const placement = join(stateDir, 'placement.yaml');
  writeFileSync(placement, `Endpoint-${HELD}: RESOURCE:FARGATE\n`);
  const service = await startService(assembly, {
    stateDir,
    nodeArguments: ['--inspect=127.0.0.1:0'],
    isLogged: false,
    environment: { LOCAL_PLACEMENT: placement },
  });
  const keys = await makeKeys(stateDir);
  return {
    service,
    keys,
    client: createClient({ JobApiUrl: service.jobApiUrl, ApiKey: keys.wide }),
    inspector: await openInspector(service.inspectorUrl ?? ''),
    logOf,
  };
}
