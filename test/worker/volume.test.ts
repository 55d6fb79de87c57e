/** Measures volumes in a folder of this machine, with agents over the emulated deployment. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { portsWith } from '../../aws/ports.ts';
import { volumePartitionOf } from '../../core/jobs/id.ts';
import { HOUR, VOLUME_MEASURE } from '../../core/limits.ts';
import { volumeFrom, volumeVariables } from '../../core/workers/volume-metrics.ts';
import { newFolder } from '../../packages/emulator/test/small-service.ts';
import { createVolumeWatch, volumeSize } from '../../worker/agent/volume.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import { MovedClock } from '../support/emulated-deployment.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { createAgents, forever } from './agents.ts';

const MB = 2 ** 20;
let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, bytes: number) => writeFileSync(join(folder, name), Buffer.alloc(bytes, 'x'));
/** Returns the disk space that the file uses. */
const takes = (...names: string[]) => names.reduce((sum, name) => sum + lstatSync(join(folder, name)).blocks * 512, 0);
const all = { entries: 1_000, mayContinue: () => true };

describe('the size of a volume', () => {
  it('is the disk space of its files and folders, each counted once', async () => {
    mkdirSync(join(folder, 'models/old'), { recursive: true });
    write('models/a', MB);
    write('models/old/b', 10);
    linkSync(join(folder, 'models/a'), join(folder, 'again'));
    symlinkSync('/usr', join(folder, 'elsewhere'));
    const sparse = openSync(join(folder, 'sparse'), 'w');
    ftruncateSync(sparse, 100 * MB);
    closeSync(sparse);
    expect(await volumeSize(folder, all)).toEqual({
      bytes: takes('models', 'models/old', 'models/a', 'models/old/b', 'elsewhere', 'sparse'),
      entries: 7,
      unreadable: 0,
      complete: true,
    });
  });

  it('includes files whose names are not text', async () => {
    const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(name, Buffer.alloc(MB, 'x'));
    expect(await volumeSize(folder, all)).toEqual({
      bytes: lstatSync(name).blocks * 512,
      entries: 1,
      unreadable: 0,
      complete: true,
    });
  });

  it('is reported with the number of entries that could not be read', async () => {
    // The path is longer than a path may be.
    const deeper = "for (let n = 0; n < 25; n += 1) { fs.mkdirSync('n'.repeat(200)); process.chdir('n'.repeat(200)); }";
    execFileSync(process.execPath, ['-e', deeper], { cwd: folder });
    write('file', 10);
    expect(await volumeSize(folder, all)).toMatchObject({ unreadable: 1, complete: true });
    execFileSync('rm', ['-rf', folder]);
  });

  it('is incomplete after the maximum number of entries', async () => {
    for (const name of ['a', 'b', 'c']) write(name, MB);
    expect(await volumeSize(folder, { ...all, entries: 2 })).toEqual({
      bytes: takes('a', 'b'),
      entries: 2,
      unreadable: 0,
      complete: false,
    });
    expect(await volumeSize(folder, { ...all, entries: 3 })).toMatchObject({ entries: 3, complete: true });
  });

  it('is unknown if the measurement must not continue', async () => {
    for (const name of ['a', 'b', 'c']) write(name, 1);
    let asked = 0;
    const mayContinue = () => ++asked < 3;
    expect(await volumeSize(folder, { ...all, mayContinue })).toBeUndefined();
    expect(asked).toBe(3);
  });

  it('is an error for a missing folder, and 0 for an empty folder', async () => {
    await expect(volumeSize(join(folder, 'none'), all)).rejects.toThrow('ENOENT');
    expect(await volumeSize(folder, all)).toMatchObject({ bytes: 0, entries: 0, complete: true });
  });
});

describe('a volume', () => {
  const emulated = useEmulatedDeployment();

  let clock: MovedClock;
  let lines: { worker: string; fields: Record<string, unknown> }[];
  let marks: string[];
  beforeEach(() => {
    clock = new MovedClock();
    lines = [];
    marks = [];
  });

  function watchOf(endpoint: string, worker: string, isFree: () => boolean = () => true) {
    const { volumeMarks } = emulated.ports;
    const counted = portsWith(emulated.ports, {
      clock,
      volumeMarks: {
        hold: (...args: Parameters<typeof volumeMarks.hold>) => {
          marks.push(worker);
          return volumeMarks.hold(...args);
        },
        set: volumeMarks.set,
      },
    });
    const log = {
      info: (_: string, fields: Record<string, unknown>) => lines.push({ worker, fields }),
      error: () => undefined,
    };
    return createVolumeWatch(
      counted,
      { endpoint, worker, volume: { gb: 2, path: folder, deployment: 'gpu-endpoints' } },
      { log, isFree },
    );
  }

  it('is measured once an hour by one of the workers of its endpoint', async () => {
    write('model', MB);
    const watches = ['a', 'b', 'c'].map((worker) => watchOf('hourly', worker));
    const measure = async () => {
      await Promise.all(watches.map((watch) => watch.measure()));
    };
    await measure();
    expect(lines).toEqual([{ worker: expect.any(String), fields: expect.objectContaining({ Endpoint: 'hourly' }) }]);
    expect(lines[0]?.fields).toMatchObject({
      VolumeUsedInGb: takes('model') / 2 ** 30,
      VolumeUsedPercent: (100 * takes('model')) / 2 ** 31,
      volume: { entries: 1, complete: true, volumeInGb: 2 },
      _aws: { Timestamp: clock.now() },
    });

    // A worker that has read the time of the next measurement does not ask again before that time.
    clock.advance(VOLUME_MEASURE.maxTime);
    await measure();
    const before = marks.length;
    clock.advance(HOUR - VOLUME_MEASURE.maxTime - 1);
    await measure();
    expect([lines.length, marks.length]).toEqual([1, before]);
    clock.advance(1);
    await measure();
    expect(lines).toHaveLength(2);
  });

  it('is measured separately for each endpoint', async () => {
    for (const endpoint of ['one', 'other']) await watchOf(endpoint, 'a').measure();
    expect(lines.map(({ fields }) => fields.Endpoint)).toEqual(['one', 'other']);
  });

  it('is not measured by busy workers, and is left to other workers if a job arrives', async () => {
    for (const name of ['a', 'b', 'c']) write(name, 1);
    let looks = 0;
    await watchOf('busy', 'a', () => false).measure();
    expect(marks).toEqual([]);
    await watchOf('busy', 'b', () => ++looks < 3).measure();
    const other = watchOf('busy', 'c');
    clock.advance(VOLUME_MEASURE.again - 1);
    await other.measure();
    expect(lines).toEqual([]);
    clock.advance(1);
    await other.measure();
    expect(lines.map(({ worker }) => worker)).toEqual(['c']);
  });

  it('is measured by another worker if a worker stops during its measurement', async () => {
    write('a', 1);
    rmSync(folder, { recursive: true });
    const failing = watchOf('ends', 'a');
    await expect(failing.measure()).rejects.toThrow('ENOENT');
    await failing.measure();
    mkdirSync(folder);
    const other = watchOf('ends', 'b');
    await other.measure();
    expect([lines, marks]).toEqual([[], ['a', 'b']]);
    clock.advance(VOLUME_MEASURE.maxTime);
    await other.measure();
    expect(lines.map(({ worker }) => worker)).toEqual(['b']);
  });

  it('is no longer measured by a worker whose time limit has passed, because another worker may measure the volume', async () => {
    for (const name of ['a', 'b']) write(name, 1);
    const slow = watchOf('slow', 'a', () => {
      clock.advance(VOLUME_MEASURE.maxTime / 2);
      return true;
    });
    await slow.measure();
    expect(lines).toEqual([]);
  });

  it('is not measured by an agent that has a job or takes no more jobs', async () => {
    const agents = createAgents(emulated);
    await emulated.deploy('free');
    const agent = await agents.start('free', 'worker-free');
    await agent.beat();
    expect(agent.isFree()).toBe(true);
    const id = await agents.submit('free');
    await agent.next(forever);
    expect(agent.isFree()).toBe(false);
    await agent.report(id, { output: '1' });
    expect(agent.isFree()).toBe(true);
    agent.retire();
    expect(agent.isFree()).toBe(false);
    await agents.end();
  });

  it('has its mark in the partition that only the workers of its endpoint may write', async () => {
    const until = emulated.clock.now();
    await emulated.ports.volumeMarks.set('echo-marked', { worker: 'w1', until });
    const Key = { partition: volumePartitionOf('echo-marked'), item: 'measured' };
    const get = new GetCommand({ TableName: 'PAYLOADS_TABLE', Key });
    const { Item } = await createDocumentClient(withConstantSignature).send(get);
    expect(Item).toMatchObject({ worker: 'w1', until });
    expect(volumePartitionOf('echo-marked')).not.toBe(volumePartitionOf('echo'));
  });
});

describe('an agent', () => {
  it('reads its volume from the variables of a release, and its deployment from the variables of the stack', () => {
    const variables: Record<string, string> = { ...volumeVariables(20, '/volume'), DEPLOYMENT: 'prod' };
    expect(volumeFrom((name) => variables[name])).toEqual({ gb: 20, path: '/volume', deployment: 'prod' });
    expect(volumeFrom(() => undefined)).toBeUndefined();
  });
});
