/** Runs the service, and provides access to its tables, queues and worker processes. */
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { partitionOf } from '../../../core/jobs/id.ts';
import {
  descendants,
  eventually,
  isRunning,
  type LocalService,
  readStatus,
  startService,
} from '../../../test/acceptance/local-service.ts';
import { operatorSettings } from '../../../test/acceptance/operator.ts';
import { readOfProcess, signal } from '../../../test/runner/processes.ts';
import type { PermissionUsage } from '../../emulator/iam/usage.ts';
import { readUsage } from './grants.ts';

export interface Stage {
  readonly service: LocalService;
  /** Rejects with the first refused call. Never resolves. */
  readonly refused: Promise<never>;
  usage(): PermissionUsage;
  /** Waits until `usage` contains all calls so far. */
  usageWritten(): Promise<void>;
  /** Stores a secret and a registry login that templates can name. */
  keepSecrets(): Promise<void>;
  /** Waits until the job runs and its worker's lease contains it, so that its message is no longer needed. */
  held(endpoint: string, id: unknown): Promise<void>;
  /** Associates the template with the endpoint, as its deployment does. */
  use(template: string, endpoint: string): Promise<void>;
  /**
   * Resets the delivery of the job's first end, which then has been due for this number of minutes, as if its
   * execution was lost.
   */
  loseDelivery(endpoint: string, id: string, minutesAgo: number): Promise<void>;
  /** Kills processes of the worker that runs the job, so that they cannot report anything. */
  kill(endpoint: string, id: unknown, what: 'container' | 'task'): Promise<void>;
  /** Kills everything, as if the power had failed. */
  killAll(): Promise<void>;
}

/** A refusal as `packages/emulator/aws-proxy/gate.ts` prints it. */
const REFUSAL = /AccessDenied: role .+ may not .+(?=\n)/;

const AGENT = 'worker/main.ts';
const CONTAINER = 'examples/echo/main.ts';

/** Returns the name of a resource that is granted to a role and whose ARN matches the pattern. */
function grantedName(usage: PermissionUsage, pattern: RegExp): string {
  const statements = Object.values(usage).flat();
  const arns = statements.flatMap(({ actions }) => Object.values(actions).flatMap((uses) => Object.keys(uses)));
  const name = arns.map((arn) => pattern.exec(arn)?.[1]).find(Boolean);
  if (!name) throw new Error(`No role has a permission on ${pattern}.`);
  return name;
}

/** Starts the stacks of an assembly, in a state directory that can already contain data. */
export async function startStage(stateDir: string, assembly: string): Promise<Stage> {
  const file = join(stateDir, 'permissions.json');
  rmSync(file, { force: true });
  const service = await startService(stateDir, {
    args: ['--assembly', assembly],
    env: { LOCAL_PERMISSIONS_FILE: file },
  });
  const usage = () => readUsage(file);
  const main = service.process.pid ?? 0;

  const settings = operatorSettings(stateDir);
  const secrets = new SecretsManagerClient(settings);
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  const tableName = (name: string) => grantedName(usage(), new RegExp(`:table/(Storage-${name}Table[0-9A-F]{8})$`));

  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => undefined);
  const look = () => {
    const [line] = REFUSAL.exec(service.printed()) ?? [];
    if (line) reject(new Error(line));
  };
  service.process.stdout?.on('data', look);
  look();

  const workerOf = (endpointId: string, id: unknown) =>
    eventually(`job ${id} runs`, async () => {
      const { json } = await readStatus(service, id, endpointId);
      return json.status === 'IN_PROGRESS' ? String(json.workerId) : undefined;
    });

  return {
    service,
    refused,
    usage,

    async usageWritten() {
      const now = Date.now();
      await eventually('the use of permissions is written', () => statSync(file).mtimeMs > now || undefined);
    },

    async keepSecrets() {
      const keep = (Name: string, SecretString: string) =>
        secrets.send(new CreateSecretCommand({ Name, SecretString }));
      await keep('gpu-endpoints/env/TOKEN', 'secret');
      await keep('gpu-endpoints/registry-auth/hub', '{"username":"ada","password":"secret"}');
    },

    async held(endpointId, id) {
      const worker = await workerOf(endpointId, id);
      const TableName = tableName('Workers');
      await eventually(`a lease names job ${id}`, async () => {
        const { Item } = await documents.send(new GetCommand({ TableName, Key: { endpoint: endpointId, worker } }));
        return (Item?.jobs as unknown[] | undefined)?.includes(id) || undefined;
      });
    },

    async use(template, endpointId) {
      const Item = { collection: 'users', item: template, endpoints: new Set([endpointId]) };
      await documents.send(new PutCommand({ TableName: tableName('Templates'), Item }));
    },

    async loseDelivery(endpointId, id, minutesAgo) {
      const Key = { partition: partitionOf({ endpoint: endpointId, id }), delivery: `${id}#0` };
      await documents.send(new DeleteCommand({ TableName: tableName('Deliveries'), Key }));
      const minute = String(Math.floor(Date.now() / 60_000) - minutesAgo).padStart(9, '0');
      const Item = { endpoint: endpointId, due: `${minute}#lost`, jobs: [], deliveries: [`${id}#0`] };
      await documents.send(new PutCommand({ TableName: tableName('Deadlines'), Item }));
    },

    async kill(endpointId, id, what) {
      const task = await workerOf(endpointId, id);
      const scripts = what === 'task' ? [AGENT, CONTAINER] : [CONTAINER];
      const victims = descendants(main).filter(
        (pid) =>
          readOfProcess(pid, 'environ').includes(task) &&
          scripts.some((script) => readOfProcess(pid, 'cmdline').includes(script)),
      );
      if (victims.length < scripts.length) throw new Error(`Worker ${task} has ${victims.length} processes.`);
      for (const victim of victims) signal(victim, 'SIGKILL');
    },

    async killAll() {
      const { process: child } = service;
      const ended = child.exitCode !== null || child.signalCode !== null || once(child, 'exit');
      const processes = isRunning(main) ? [main, ...descendants(main)] : [];
      for (const pid of processes) signal(pid, 'SIGKILL');
      await ended;
    },
  };
}
