/** Tests volumes that templates declare, and tasks that store files in them. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Template } from '../../cloudformation/template.ts';
import { runnable } from '../../ecs/families.ts';
import { type MetadataServer, startMetadataServer } from '../../ecs/metadata.ts';
import { rules } from '../../ecs/rules.ts';
import { startTask, type Task } from '../../ecs/task.ts';
import { createMount } from '../../ecs/volumes.ts';
import { endMarkedProcesses, runMark } from '../../state/processes.ts';
import { eventually, newFolder, noAws, type SmallService, startSmallService } from '../small-service.ts';
import { testContainers } from './small-ecs.ts';

/** A script that writes its variables to a file, and adds a line to a file in its volume. */
const SCRIPT = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
mkdirSync(process.env.CACHE, { recursive: true });
appendFileSync(process.env.CACHE + '/lines', process.argv[2] + '\\n');
writeFileSync(process.argv[2] + '.json', JSON.stringify(process.env));
setInterval(() => undefined, 1000);
`;

const refused = (Sid: string, Condition: object) => ({
  Sid,
  Effect: 'Deny',
  Principal: { AWS: '*' },
  Action: ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
  Resource: '*',
  Condition,
});

/** Returns the template of an endpoint's volume, with the changes of a test. */
function template({ mount = true, actions = ['ClientMount', 'ClientWrite'], point = 'Point', policy = true } = {}) {
  const role = { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } };
  const access = (name: string) => ({
    Type: 'AWS::EFS::AccessPoint',
    Properties: {
      FileSystemId: { Ref: 'Files' },
      RootDirectory: { Path: `/endpoints/${name}` },
      PosixUser: { Uid: '1000', Gid: '1000' },
    },
  });
  const denied = [
    refused('Encrypted', { Bool: { 'aws:SecureTransport': 'false' } }),
    refused('ByAccessPoint', { Null: { 'elasticfilesystem:AccessPointArn': 'true' } }),
    ...(policy ? [] : [refused('All', { StringLike: { 'aws:PrincipalArn': '*' } })]),
  ];
  return {
    Resources: {
      Files: {
        Type: 'AWS::EFS::FileSystem',
        Properties: { Encrypted: true, FileSystemPolicy: { Version: '2012-10-17', Statement: denied } },
      },
      Point: access('echo'),
      Other: access('other'),
      Role: { Type: 'AWS::IAM::Role', Properties: role },
      Policy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyName: 'volume',
          Roles: [{ Ref: 'Role' }],
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Action: actions.map((action) => `elasticfilesystem:${action}`),
                Resource: { 'Fn::GetAtt': ['Files', 'Arn'] },
                Condition: { StringEquals: { 'elasticfilesystem:AccessPointArn': { 'Fn::GetAtt': ['Point', 'Arn'] } } },
              },
            ],
          },
        },
      },
      Task: {
        Type: 'AWS::ECS::TaskDefinition',
        Properties: {
          Family: 'echo',
          TaskRoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
          ContainerDefinitions: [
            {
              Name: 'worker',
              Image: 'test/worker',
              Environment: [
                { Name: 'VOLUME_PATH', Value: '/workspace' },
                { Name: 'CACHE', Value: '/workspace/models' },
                { Name: 'BESIDE', Value: '/workspaces' },
                { Name: 'ALSO', Value: '/runpod-volume/models' },
              ],
              ...(mount && {
                MountPoints: ['/workspace', '/runpod-volume'].map((ContainerPath) => ({
                  SourceVolume: 'volume',
                  ContainerPath,
                })),
              }),
            },
          ],
          Volumes: [
            {
              Name: 'volume',
              EFSVolumeConfiguration: {
                FilesystemId: { Ref: 'Files' },
                TransitEncryption: 'ENABLED',
                AuthorizationConfig: { AccessPointId: { Ref: point }, IAM: 'ENABLED' },
              },
            },
          ],
        },
      },
    },
  } as unknown as Template;
}

const cause = rules.stoppedByUser.value;
let folder: string;
let metadata: MetadataServer;
let service: SmallService | undefined;
let tasks: Task[];

beforeEach(async () => {
  folder = newFolder();
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'worker.cjs'), SCRIPT);
  metadata = await startMetadataServer();
  tasks = [];
});

afterEach(async () => {
  await Promise.all(tasks.map((task) => task.stop(cause, 0)));
  await endMarkedProcesses(folder);
  metadata.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a task of the template, in the first run or a later one. */
async function start(name: string, declared = template()): Promise<Task> {
  await service?.stop();
  service = await startSmallService({ 'Endpoint-echo': declared }, '', { stateDir: join(folder, 'state') });
  const { ecs, permissions } = service;
  const revision = ecs.families.find('echo');
  if (!revision) throw new Error('There is no task definition.');
  const mount = createMount({
    accessPoints: ecs.accessPoints,
    folder: join(folder, 'volumes'),
    authorize(roleArn, action, resource, context = {}) {
      const { allowed } = permissions.decide({ roleArn }, { action, resource, context });
      if (!allowed) throw new Error(`it may not ${action}`);
    },
  });
  const origin = { name: 'echo', serviceName: 'echo', cluster: 'fleet', startedBy: 'ecs-svc/1' };
  const task = startTask(
    { ...origin, taskDefinition: runnable(revision) },
    {
      containers: testContainers,
      awsEnvironment: noAws,
      metadata,
      folder,
      mount,
      mark: runMark(folder, process.pid),
      images: () => new Map([['test/worker', { command: ['node', 'worker.cjs', name] }]]),
      logFile: (file) => join(folder, 'logs', file),
    },
  );
  tasks.push(task);
  return task;
}

async function outputOf(name: string): Promise<Record<string, string>> {
  const file = join(folder, `${name}.json`);
  await eventually(`${name} has started`, () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}'));
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

describe('a volume', () => {
  it('outlives its tasks, and variables contain its path', async () => {
    const first = await start('first');
    const its = join(folder, 'volumes/endpoints/echo');
    const models = join(its, 'models');
    const seen = { VOLUME_PATH: its, CACHE: models, ALSO: models, BESIDE: '/workspaces' };
    expect(await outputOf('first')).toMatchObject(seen);
    await first.stop(cause, 0);
    await start('second');
    await outputOf('second');
    expect(readFileSync(join(its, 'models/lines'), 'utf8')).toBe('first\nsecond\n');
  });

  it('is mounted for its task even if no container has a mount point', async () => {
    const task = await start('without', template({ mount: false, actions: ['ClientMount'] }));
    expect(await task.ready).toBe(true);
    expect(existsSync(join(folder, 'volumes/endpoints/echo'))).toBe(true);
  });

  const isRefused = async (changed: Parameters<typeof template>[0], action: string) => {
    const task = await start('refused', template(changed));
    expect(await task.ready).toBe(false);
    expect(task.state()).toMatchObject({
      stopCode: 'TaskFailedToStart',
      stoppedReason: `ResourceInitializationError: volume volume cannot be mounted: it may not elasticfilesystem:${action}`,
    });
    expect(existsSync(join(folder, 'volumes'))).toBe(false);
  };

  it('prevents the start of a task if its role is not allowed to mount it', () =>
    isRefused({ actions: ['ClientRootAccess'] }, 'ClientMount'));

  it('prevents the start of a task if its role is not allowed to write to it', () =>
    isRefused({ actions: ['ClientMount'] }, 'ClientWrite'));

  it('is refused if it is the folder of another endpoint', () => isRefused({ point: 'Other' }, 'ClientMount'));

  it('is refused by the policy of its file system, regardless of the permissions of the role', () =>
    isRefused({ policy: false }, 'ClientMount'));
});

describe('a template', () => {
  const changed = (change: (text: string) => string) => JSON.parse(change(JSON.stringify(template()))) as Template;

  it.each<[string, (text: string) => string, string]>([
    ['a volume without encryption in transit', (text) => text.replace('ENABLED', 'DISABLED'), 'TransitEncryption'],
    [
      'a volume without IAM authorization',
      (text) => text.replace('"IAM":"ENABLED"', '"IAM":"DISABLED"'),
      'IAM cannot be',
    ],
    ['an unknown setting', (text) => text.replace('"Encrypted"', '"Speed":1,"Encrypted"'), 'property Speed'],
    ['a path outside its folder', (text) => text.replace('endpoints/echo', 'endpoints/../..'), 'RootDirectory.Path'],
    [
      'a mount point of an unknown volume',
      (text) => text.replace('"SourceVolume":"volume"', '"SourceVolume":"other"'),
      'it has no volume other',
    ],
  ])('with %s stops the start', async (_, change, sentence) => {
    const starting = startSmallService({ 'Endpoint-echo': changed(change) }, '');
    await expect(starting.then((started) => started.stop())).rejects.toThrow(sentence);
  });
});
