/** Runs `npx gpu-endpoints promote` as a process with a fake Docker. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { parseOutput } from './command-output.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-promote-'));
const digest = `sha256:${'a'.repeat(64)}`;
const PROD = 'environments/prod/endpoints/chat.yaml';
afterAll(() => rmSync(root, { recursive: true }));

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, { mode });
}
const read = (file: string) => readFileSync(join(root, file), 'utf8');

beforeEach(() => {
  rmSync(root, { recursive: true });
  write('environments/test.yaml', 'waits: 100\n');
  write('environments/prod.yaml', 'waits: 100\n');
  write('endpoints/chat.yaml', 'image: team/chat:1.2\n');
  write('docker', `#!/bin/sh\necho "$@" > "${join(root, 'asked')}"\necho '${digest}'\n`, 0o755);
});

function promote(...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH: `${root}:${PATH}`, NODE_COMPILE_CACHE, DECLARATIONS: root };
  return spawnSync(process.execPath, [join(process.cwd(), 'bin/cli.ts'), 'promote', ...args], {
    encoding: 'utf8',
    env,
  });
}
const toProd = (...more: string[]) => promote('chat', '--from', 'test', '--to', 'prod', ...more);

describe('gpu-endpoints promote', () => {
  it('writes the image of one environment, with the digest of its tag, into the file of another', () => {
    const { status, stdout } = toProd();
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(`${PROD}: \`image\` is team/chat:1.2@${digest} instead of team/chat:1.2. Commit`),
    ]);
    expect(stdout).toContain('test names the image by its tag, so its workers can run another one.');
    expect(read('asked')).toBe('buildx imagetools inspect team/chat:1.2 --format {{.Manifest.Digest}}\n');
    expect(readDeclarations(root, 'prod')).toMatchObject([{ image: `team/chat:1.2@${digest}` }]);
    expect(readDeclarations(root, 'test')).toMatchObject([{ image: 'team/chat:1.2' }]);
  });

  it('copies a digest without asking the registry, and keeps the other lines of the file', () => {
    const image = `team/chat@${digest}`;
    write('environments/test/endpoints/chat.yaml', `image: ${image}\n`);
    write(PROD, '# More workers for customers.\nmaxWorkers: 20 # at most\nimage: team/chat:1.1\n');
    expect(toProd().status).toBe(0);
    expect(read(PROD)).toBe(`# More workers for customers.\nmaxWorkers: 20 # at most\nimage: ${image}\n`);
    expect(() => read('asked')).toThrow('ENOENT');
  });

  it('changes nothing if the environment already runs the image', () => {
    expect(toProd().status).toBe(0);
    const before = read(PROD);
    const { status, stdout } = toProd();
    expect([status, stdout]).toEqual([0, expect.stringContaining('already runs')]);
    expect(read(PROD)).toBe(before);
    const image = `team/chat:1.2@${digest}`;
    expect(parseOutput('promote', toProd('--json').stdout)).toEqual({
      endpoint: 'chat',
      file: PROD,
      image,
      before: image,
    });
  });

  it.each([
    [['caht', '--from', 'test', '--to', 'prod'], 'test has no endpoint "caht"; it has built, chat, named'],
    [
      ['chat', '--from', 'tset', '--to', 'prod'],
      'There is no environments/tset.yaml; the environments are prod, test.',
    ],
    [['chat', '--from', 'test', '--to', 'test'], '--from and --to must be different environments, got test twice.'],
    [['chat', '--from', 'test'], "required option '--to <environment>' not specified"],
    [['named', '--from', 'test', '--to', 'prod'], 'named runs the template Team, which belongs to all environments'],
    [['built', '--from', 'test', '--to', 'prod'], 'built is built from examples/echo by each deployment'],
  ])('refuses %j, and changes nothing', (args, message) => {
    write('endpoints/named.yaml', 'template: Team\n');
    write('endpoints/built.yaml', 'image: built\nbuild: examples/echo\n');
    const { status, stderr } = promote(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(() => read(PROD)).toThrow('ENOENT');
  });

  it('names the remedy in one line if Docker cannot read the digest, and changes nothing', () => {
    write(
      'docker',
      "#!/bin/sh\nprintf 'unknown flag: --format\\n\\nUsage:  docker [OPTIONS]\\n' >&2\nexit 125\n",
      0o755,
    );
    const { status, stderr } = toProd();
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The digest of team\/chat:1\.2 is unknown\..* fails: unknown flag: --format\. .*buildx.*\n$/,
      ),
    ]);
    expect(() => read(PROD)).toThrow('ENOENT');
  });

  it('changes nothing if the registry does not answer with a digest', () => {
    write('docker', '#!/bin/sh\necho unauthorized\n', 0o755);
    const { status, stderr } = toProd();
    expect([status, stderr]).toEqual([1, expect.stringContaining('docker reports "unauthorized" as the digest')]);
    expect(() => read(PROD)).toThrow('ENOENT');
  });
});
