/** Declares an endpoint of the example worker for each place where cells run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declare } from '../../lib/synthesis.ts';
import { assemblyWith } from '../added-endpoints.ts';
import { changeStack } from '../assembly.ts';
import { type Gate, openGate } from './gate.ts';

export interface Endpoint {
  readonly id: string;
  readonly maxWorkers: number;
  readonly gate: Gate;
  /** Returns the log that the endpoint's handlers have written so far. */
  log(): readonly LogLine[];
}

export interface LogLine {
  readonly job: string;
  readonly attempt: number;
  readonly pid: number;
  readonly event: 'start' | 'effect';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ContainerDefinition {
  readonly Name: string;
  readonly Environment: { readonly Name: string; readonly Value: string }[];
}

/** Idle timeout that is longer than the cells run, so that no idle worker is stopped. */
const IDLE_TIMEOUT = 1_800_000;

const effectsLog = (stateDir: string, id: string) => join(stateDir, `effects-${id}`);

function readLog(file: string): LogLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LogLine);
}

/** Returns the address at which the functions and agents of the service call AWS. */
const frontUrl = (stateDir: string) => {
  const { port } = JSON.parse(readFileSync(join(stateDir, 'aws-proxy.json'), 'utf8')) as { port: number };
  return `http://127.0.0.1:${port}`;
};

/** Opens a gate for each endpoint. */
export const openEndpoints = (stateDir: string, maxWorkers: Readonly<Record<string, number>>): Promise<Endpoint[]> =>
  Promise.all(
    Object.entries(maxWorkers).map(async ([id, max]) => ({
      id,
      maxWorkers: max,
      gate: await openGate(() => frontUrl(stateDir)),
      log: () => readLog(effectsLog(stateDir, id)),
    })),
  );

/** Synthesizes the app with these endpoints, whose agents reach DynamoDB through their gates. */
export async function synthesizeEndpoints(
  folder: string,
  stateDir: string,
  endpoints: readonly Endpoint[],
): Promise<void> {
  const declarations = endpoints.map(({ id, maxWorkers }) =>
    declare(id, {
      image: 'gpu-endpoints/example-echo',
      volumeInGb: 0,
      minWorkers: 1,
      maxWorkers,
      idleTimeout: IDLE_TIMEOUT,
      env: { EFFECTS_LOG: effectsLog(stateDir, id) },
    }),
  );
  await assemblyWith(folder, declarations);
  for (const { id, gate } of endpoints)
    changeStack(folder, `Endpoint-${id}`, (resources) => {
      const tasks = Object.values(resources).filter(({ Type }) => Type === 'AWS::ECS::TaskDefinition');
      const containers = tasks.flatMap(({ Properties }) => Properties.ContainerDefinitions as ContainerDefinition[]);
      const agent = containers.find(({ Name }) => Name === 'agent');
      agent?.Environment.push({ Name: 'AWS_ENDPOINT_URL_DYNAMODB', Value: gate.url });
    });
}
