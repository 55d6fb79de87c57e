/** Starts the service under attack: endpoints, keys, jobs with the marker, and a worker that forges references. */
import { join } from 'node:path';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { partitionOf } from '../../../core/jobs/id.ts';
import { MINUTE } from '../../../core/limits.ts';
import { templateScopes } from '../../../core/operations/routes.ts';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { declared } from '../../support/declared.ts';
import { assemblyWith } from '../added-endpoints.ts';
import { type HostileWorker, hostileWorker, updateTo } from '../hostile/worker.ts';
import { call, jobIn, type LocalService, newStateDir, startService, submit } from '../local-service.ts';
import { ATTACKER, type OperatorKeys, operatorDocuments, operatorKeys, unknownSecret } from '../operator-keys.ts';
import { ECHO, MARKER, OWN, QUIET, ROLLED_BACK, VICTIM } from './endpoints.ts';
import type { KeyName } from './headers.ts';
import type { Values } from './requests.ts';
import { setTrap } from './trap.ts';

export interface Scene extends Values {
  readonly service: LocalService;
  readonly worker: HostileWorker;
  readonly endpoints: readonly string[];
  /** Secrets of all keys, including the operator's. */
  readonly secrets: readonly string[];
  /** Number of connections to the port that the service must never connect to. */
  trapped(): number;
  /** Replaces a planted id with a new one, so that some ids always exist. */
  replace(pool: string, n: number, id: string): void;
  /** Reads, as the operator, the victim's jobs, counters and template, and the counters of the quiet endpoint. */
  victim(): Promise<unknown>;
}

const ENDED = ['COMPLETED', 'FAILED'];
const BALLAST = { small: 0, stored: 1_000, object: 20_000 } as const;

const text = (value: object) => JSON.stringify(value);
/** Jobs of the attacker, each of which takes little time. */
const ownJobs = [
  '{"input":{"n":1}}',
  '{"input":{"op":"fail"}}',
  '{"input":{"op":"stream","chunks":3}}',
  '{"input":{"op":"fail"},"webhook":"http://localhost:TRAP/"}',
  '{"input":{"op":"print","lines":["line"]}}',
  '{"input":{"op":"bytes","size":20000}}',
];
/** Index of the job with a webhook. Its id is not replaced, because only failed deliveries can be sent again. */
const NOTIFIES = ownJobs.findIndex((body) => body.includes('webhook'));
const ROUNDS = 4;

/** Jobs with the marker in their input and in their results. */
const victimJobs = [
  ...Object.values(BALLAST).map((size) => text({ input: { secret: MARKER, ballast: 'x'.repeat(size) } })),
  text({ input: { op: 'fail', message: MARKER } }),
  text({ input: { op: 'fail', message: MARKER + 'x'.repeat(BALLAST.object) } }),
  text({ input: { op: 'print', lines: [MARKER] } }),
  text({ input: { op: 'progress', metrics: { scenario: MARKER } } }),
  text({ input: { secret: MARKER }, s3Config: { accessSecret: MARKER } }),
];

/**
 * Submits the jobs and waits until they have ended.
 * @returns ids in the order of the bodies
 */
async function plant(service: LocalService, endpoint: string, bodies: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    const { json } = await submit(service, body, endpoint);
    ids.push(String(json.id));
  }
  for (const id of ids) {
    const { ApiKey, JobApiUrl } = service;
    const { json } = await call({ ApiKey }, 'GET', `${JobApiUrl}/${endpoint}/status/${id}`);
    if (!ENDED.includes(String(json.status)))
      await Promise.any(ENDED.map((status) => jobIn(service, id, status, MINUTE, endpoint)));
  }
  return ids;
}

type Secrets = Readonly<Record<KeyName | 'victim', string>>;

async function makeKeys({ make, revoke }: OperatorKeys): Promise<Secrets> {
  const everything = { operations: ['*'], scopes: [...templateScopes] };
  const ofAttacker = { endpoints: [...OWN, ECHO], ...everything };
  const revoked = await make('revoked', ofAttacker);
  await revoke(revoked);
  return {
    wide: await make('wide', ofAttacker),
    narrow: await make('narrow', { endpoints: [OWN[0]], operations: ['run', 'status', 'health'] }),
    reader: await make('reader', { scopes: ['templates:read'] }),
    writer: await make('writer', { scopes: ['templates:read', 'templates:write'] }),
    expired: await make('expired', { ...ofAttacker, expiresAt: Date.now() }),
    revoked,
    unknown: unknownSecret(),
    victim: await make('victim', { owner: 'victim', ...everything }),
  };
}

async function makeTemplate({ ManagementApiUrl }: LocalService, ApiKey: string, template: object): Promise<string> {
  const { json, text: answer } = await call({ ApiKey }, 'POST', `${ManagementApiUrl}/templates`, {
    body: text(template),
  });
  if (typeof json.id !== 'string') throw new Error(`The template was not created: ${answer}.`);
  return json.id;
}

/** Changes the template of the endpoint that can be rolled back, so that its first release is an earlier one. */
async function updateRolledBack({ ManagementApiUrl }: LocalService, ApiKey: string): Promise<void> {
  const url = `${ManagementApiUrl}/templates/endpoint-${ROLLED_BACK}/update`;
  const { status, text: answer } = await call({ ApiKey }, 'POST', url, { body: '{"env":{"CHANGED":"true"}}' });
  if (status !== 200) throw new Error(`The template of ${ROLLED_BACK} was not changed: ${answer}.`);
}

/**
 * Writes references to the victim's objects into jobs of the hostile worker's endpoint, in each field that can
 * contain a reference.
 */
async function forge(
  { documents, tables }: HostileWorker,
  operator: DynamoDBDocumentClient,
  { own, foreign }: { own: readonly string[]; foreign: readonly string[] },
): Promise<void> {
  const objects: string[] = [];
  for (const id of foreign) {
    const Key = { partition: partitionOf({ endpoint: VICTIM, id }), id };
    const { Item = {} } = await operator.send(new GetCommand({ TableName: tables.jobs, Key }));
    objects.push(...[Item.input, Item.output, Item.error].flatMap((ref) => ref?.object ?? []));
  }
  if (objects.length < 3) throw new Error(`The victim must have at least 3 objects, got ${objects.length}.`);
  for (const [n, id] of own.entries()) {
    const partition = partitionOf({ endpoint: ECHO, id });
    const ref = { object: objects[n % objects.length] };
    const member = ['output', 'error', 'input', 'webhook'][n % 4] ?? '';
    const item = { partition, id, [member]: ref };
    await documents.send(new UpdateCommand(updateTo(tables.jobs, item)));
    const chunk = { partition, item: `${id}#chunk#1#${'0'.repeat(10)}`, output: ref };
    await documents.send(new PutCommand({ TableName: tables.payloads, Item: chunk }));
  }
}

function declarations() {
  const echo = readDeclarations(declared).find(({ id }) => id === ECHO);
  if (!echo) throw new Error('The endpoint echo is not declared.');
  const one = (id: string) => ({ ...echo, id, maxWorkers: 1 });
  const own = OWN.map((id, n) => ({
    ...one(id),
    streamEnvelope: n === OWN.length - 1,
    ...(id === ROLLED_BACK && { owner: ATTACKER }),
  }));
  return [one(ECHO), one(VICTIM), one(QUIET), ...own];
}

export const portOf = ({ service }: Scene): number => Number(new URL(service.JobApiUrl).port);

/** Starts the service with all endpoints, keys, jobs and the hostile worker. */
export async function setScene(): Promise<Scene> {
  const stateDir = newStateDir();
  const assembly = join(stateDir, 'changed-assembly');
  const declared = declarations();
  await assemblyWith(assembly, declared);
  const env = { LOCAL_WEBHOOK_NETWORKS: '' };
  const service = await startService(stateDir, { args: ['--assembly', assembly], env });
  const operator = operatorDocuments(stateDir);
  const keys = await makeKeys(operatorKeys(operator, stateDir));

  const worker = await hostileWorker(service, ECHO);
  const trap = await setTrap();
  const rounds = Array.from({ length: ROUNDS }, () => ownJobs)
    .flat()
    .map((body) => body.replace('TRAP', trap.port));
  const planting = [...OWN, ECHO].map(async (id) => [id, await plant(service, id, rounds)] as const);
  const foreign = await plant(service, VICTIM, victimJobs);
  const pools = new Map<string, string[]>(await Promise.all(planting));
  const template = await makeTemplate(service, keys.victim, {
    name: MARKER,
    imageName: `team/${MARKER}:1`,
    env: { SECRET: MARKER },
    readme: MARKER,
  });
  const templates = await Promise.all(
    Array.from({ length: 4 }, (_, n) => makeTemplate(service, keys.wide, { name: `own ${n}`, imageName: 'team/own' })),
  );
  await updateRolledBack(service, keys.wide);
  pools.set(VICTIM, foreign).set('foreign', [template]).set('templates', templates);
  await forge(worker, operator, { own: pools.get(ECHO) ?? [], foreign });

  const { JobApiUrl, ManagementApiUrl, ApiKey } = service;
  const read = async (url: string, key = ApiKey) => (await call({ ApiKey: key }, 'GET', url)).json;
  return {
    service,
    worker,
    endpoints: declared.map(({ id }) => id),
    trapPort: trap.port,
    trapped: trap.count,
    secrets: [...Object.values(keys), ApiKey],
    valueOf(pool, name) {
      if (pool === 'key') return keys[name as KeyName];
      const ids = pools.get(pool) ?? [];
      return ids[Number(name) % ids.length] ?? '';
    },
    replace(pool, n, id) {
      const ids = pools.get(pool) ?? [];
      const place = n % ids.length;
      if (place % ownJobs.length !== NOTIFIES) ids[place] = id;
    },
    async victim() {
      const jobs = await Promise.all(foreign.map((id) => read(`${JobApiUrl}/${VICTIM}/status/${id}`)));
      const { jobs: counts } = await read(`${JobApiUrl}/${VICTIM}/health`);
      const { jobs: quiet } = await read(`${JobApiUrl}/${QUIET}/health`);
      return { jobs, counts, quiet, template: await read(`${ManagementApiUrl}/templates/${template}`, keys.victim) };
    },
  };
}
