/** Tests secrets of tasks, which ECS reads with the execution role and passes only to the process. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import type { ContainerDefinition } from '../../ecs/definitions.ts';
import { describeTask } from '../../ecs/ecs-output.ts';
import { type MetadataServer, startMetadataServer } from '../../ecs/metadata.ts';
import { rules } from '../../ecs/rules.ts';
import { startTask, type Task } from '../../ecs/task.ts';
import { secretReader } from '../../ecs/task-secrets.ts';
import type { EcsEvent } from '../../ecs/task-state.ts';
import { createPermissions } from '../../iam/permissions.ts';
import { parsePolicy } from '../../iam/statement.ts';
import { createSecretStore, newArn, type SecretStore } from '../../secrets/secret-store.ts';
import { createSecretsApi } from '../../secrets/secrets-api.ts';
import { eventually, newFolder, noAws } from '../small-service.ts';
import { testContainers } from './small-ecs.ts';

const CANARY = 'canary-5d41402abc';
const nowhere = 'http://127.0.0.1:1';
const partial = (name: string) => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`;
const cause = rules.stoppedByUser.value;

let folder: string;
let metadata: MetadataServer;
let proxy: AwsProxy;
let store: SecretStore;
let notices: string[];
let events: EcsEvent[];
let tasks: Task[];

const filesOf = (kind: string) => readdirSync(folder).filter((name) => name.endsWith(kind));
const textsOf = (kind: string) => filesOf(kind).map((name) => readFileSync(join(folder, name), 'utf8'));

function keep(name: string, value: string): string {
  const arn = newArn(name);
  store.put({ name, arn, tags: [], createdAt: 0, current: { id: 'x', value, createdAt: 0 } });
  return arn;
}

beforeEach(async () => {
  folder = newFolder();
  // The process writes its environment to a file, and keeps running.
  const script = `require('node:fs').writeFileSync('got', JSON.stringify(process.env)); setInterval(() => 0, 1000);`;
  writeFileSync(join(folder, 'worker.cjs'), script);
  store = createSecretStore();
  notices = [];
  events = [];
  tasks = [];
  const permissions = createPermissions();
  for (const name of ['task', 'execution']) permissions.addRole(name);
  const Resource = [`${partial('own/env/')}*`, `${partial('own/login/')}*`];
  const Statement = [{ Effect: 'Allow' as const, Action: 'secretsmanager:GetSecretValue', Resource }];
  permissions.attach('execution', parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  proxy = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions,
    tables: new Map(),
    services: new Map([['secretsmanager', createSecretsApi(store)]]),
    notify: (text) => notices.push(text),
    callLog: join(folder, 'calls.log'),
    permissionsFile: join(folder, 'permissions.log'),
  });
  metadata = await startMetadataServer();
});

afterEach(async () => {
  await Promise.all(tasks.map((task) => task.stop(cause, 0)));
  metadata.close();
  await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

const role = (name: string) => `arn:aws:iam::000000000000:role/${name}`;

function start(rest: Partial<ContainerDefinition>, executionRole = 'execution'): Task {
  const container = { name: 'worker', image: 'worker', essential: true, environment: { A: '1' }, dependsOn: [] };
  const taskDefinition = {
    arn: 'arn:aws:ecs:::task-definition/echo:1',
    family: 'echo',
    role: 'task',
    roleArn: role('task'),
    executionRoleArn: role(executionRole),
    containers: [{ ...container, stopTimeout: 5_000, ...rest }],
  };
  const origin = { name: 'echo', serviceName: 'echo-Service', cluster: 'fleet', taskDefinition, startedBy: '1' };
  const task = startTask(origin, {
    containers: testContainers,
    awsEnvironment: noAws,
    metadata,
    folder,
    mark: {},
    images: () => new Map([['worker', { command: ['node', 'worker.cjs'] }]]),
    logFile: (name) => join(folder, `${name}.log`),
    publish: (event) => events.push(event),
    readSecret: secretReader(createSecretsApi(store), proxy.authorize),
  });
  tasks.push(task);
  return task;
}

/** Returns every response, message, event and log line of ECS, the proxy and the processes. */
async function outputOf(task: Task): Promise<string> {
  const response = await fetch(`${metadata.address(task.id, 'worker')}/task`);
  const answers = [await response.text(), JSON.stringify(describeTask(task)), JSON.stringify(proxy.usage())];
  return [...answers, ...notices, JSON.stringify(events), ...textsOf('.log')].join('\n');
}

describe('a secret', () => {
  it('is in the environment of the process of its task, and in no response, message, event or log', async () => {
    const arn = keep('own/env/TOKEN', CANARY);
    keep('own/env/OTHER', `other ${CANARY}`);
    const secrets = [
      { name: 'TOKEN', valueFrom: arn },
      { name: 'OTHER', valueFrom: partial('own/env/OTHER') },
    ];
    const task = start({ secrets });
    expect(await task.ready).toBe(true);
    await eventually('the process has started', () => textsOf('got').some((text) => text.endsWith('}')));
    expect(JSON.parse(String(textsOf('got')[0]))).toMatchObject({ A: '1', TOKEN: CANARY, OTHER: `other ${CANARY}` });
    const before = await outputOf(task);
    await task.stop(cause, 5_000);
    const after = await outputOf(task);
    expect(before).toContain('secretsmanager:GetSecretValue');
    expect(before + after).not.toContain(CANARY);
  });

  it('stops the task if it is missing or its role is not allowed to read it', async () => {
    const arn = keep('own/env/TOKEN', CANARY);
    const foreign = keep('foreign', CANARY);
    const gone = partial('own/env/GONE');
    const begin =
      'ResourceInitializationError: unable to pull secrets or registry auth: execution resource retrieval failed: ' +
      'unable to retrieve secret from asm: service call has been retried 1 time(s): failed to fetch secret ';
    const denied = 'AccessDeniedException: User: arn:aws:sts::000000000000:assumed-role/';
    const missing = "ResourceNotFoundException: Secrets Manager can't find the specified secret.";
    for (const [valueFrom, message, executionRole] of [
      [arn, `${denied}task/secretsmanager is not authorized to perform: secretsmanager:GetSecretValue`, 'task'],
      [foreign, denied, 'execution'],
      [gone, missing, 'execution'],
      [`${partial('own/env/TOKEN')}-Abcdef`, missing, 'execution'],
    ] as const) {
      const task = start({ secrets: [{ name: 'TOKEN', valueFrom }] }, executionRole);
      expect(await task.ready).toBe(false);
      const { stopCode, stoppedReason } = task.state();
      expect(stopCode).toBe('TaskFailedToStart');
      expect(stoppedReason).toContain(`${begin}${valueFrom} from secrets manager: ${message}`);
      await task.ended;
      expect(await outputOf(task)).not.toContain(CANARY);
    }
    expect(filesOf('got')).toEqual([]);
  });

  it('for a registry must contain a username and a password, or the image cannot be pulled', async () => {
    const login = (value: string) => keep('own/login/hub', value);
    const task = start({ credentials: login(JSON.stringify({ username: 'ada', password: CANARY })) });
    expect(await task.ready).toBe(true);
    expect(await outputOf(task)).not.toContain(CANARY);
    for (const value of [CANARY, '{"username":"ada"}', JSON.stringify({ username: '', password: CANARY }), 'null']) {
      const credentials = login(value);
      const failing = start({ credentials });
      expect(await failing.ready).toBe(false);
      expect(failing.state().stoppedReason).toBe(
        `CannotPullContainerError: image worker cannot be pulled: ${credentials} does not contain a username and a password`,
      );
      expect(await outputOf(failing)).not.toContain(CANARY);
    }
    const gone = start({ credentials: partial('own/login/gone') });
    expect(await gone.ready).toBe(false);
    expect(gone.state().stoppedReason).toMatch(
      /^ResourceInitializationError: .*unable to get registry auth from asm: .*ResourceNotFoundException/,
    );
  });
});
