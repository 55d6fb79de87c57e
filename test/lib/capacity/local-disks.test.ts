/** Runs the script for the disks of an instance with made-up disks, in a folder instead of the root. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const script = readFileSync('lib/capacity/local-disks.sh', 'utf8');

/** Commands of the system that the script calls. Each writes its call to a log. */
const COMMANDS = ['mdadm', 'dnf', 'systemctl', 'mkfs.xfs', 'mount'];

interface Machine {
  /** Lines of `lsblk`: path and model. */
  readonly disks: readonly string[];
  /** Commands that fail. */
  readonly failing?: readonly string[];
}

/**
 * Runs the script.
 * @returns the calls of the commands, and the entries of the table of file systems
 */
function run({ disks, failing = [] }: Machine) {
  const root = mkdtempSync(join(tmpdir(), 'disks-'));
  const [bin, log] = [join(root, 'bin'), join(root, 'log')];
  mkdirSync(bin);
  mkdirSync(join(root, 'etc'));
  const make = (name: string, lines: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${lines}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  make('lsblk', `printf '%s\\n' ${disks.map((disk) => `'${disk}'`).join(' ')}`);
  for (const name of COMMANDS) make(name, `echo "${name} $*" >> ${log}\nexit ${failing.includes(name) ? 1 : 0}`);
  const relocated = script.replaceAll(/\/(?=etc\/fstab|mnt\/local|var\/lib)/g, `${root}/`);
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', relocated], {
    env: { PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  const fstab = join(root, 'etc/fstab');
  const linesOf = (file: string) =>
    existsSync(file) ? readFileSync(file, 'utf8').replaceAll(root, '').trim().split('\n') : [];
  return { status, stderr, calls: linesOf(log), table: linesOf(fstab) };
}

const root = '/dev/nvme0n1 Amazon Elastic Block Store';
const local = (n: number) => `/dev/nvme${n}n1 Amazon EC2 NVMe Instance Storage`;

it('mounts the disk of the instance for images and containers while Docker is stopped, also after a reboot', () => {
  expect(run({ disks: [root, local(1)] })).toEqual({
    status: 0,
    stderr: '',
    calls: [
      'mkfs.xfs -f -q /dev/nvme1n1',
      'systemctl stop docker.socket docker containerd',
      'mount /mnt/local',
      'mount /var/lib/docker',
      'mount /var/lib/containerd',
      'systemctl start containerd docker',
    ],
    table: [
      '/dev/nvme1n1 /mnt/local xfs noatime,nofail 0 0',
      '/mnt/local/docker /var/lib/docker none bind,nofail 0 0',
      '/mnt/local/containerd /var/lib/containerd none bind,nofail 0 0',
    ],
  });
});

it('joins several disks to one file system', () => {
  const { status, calls } = run({ disks: [root, local(1), local(2)] });
  expect(status).toBe(0);
  expect(calls.slice(0, 2)).toEqual([
    'mdadm --create /dev/md0 --run --level 0 --raid-devices 2 /dev/nvme1n1 /dev/nvme2n1',
    'mkfs.xfs -f -q /dev/md0',
  ]);
});

it('uses the first disk if the disks cannot be joined', () => {
  const { calls } = run({ disks: [root, local(1), local(2)], failing: ['mdadm'] });
  expect(calls).toContain('mkfs.xfs -f -q /dev/nvme1n1');
});

it('leaves Docker on the root volume if the instance has no disk of its own, or the disk cannot be formatted', () => {
  expect(run({ disks: [root] })).toEqual({ status: 0, stderr: '', calls: [], table: [] });
  expect(run({ disks: [root, local(1)], failing: ['mkfs.xfs'] })).toMatchObject({
    calls: ['mkfs.xfs -f -q /dev/nvme1n1'],
    table: [],
  });
});
