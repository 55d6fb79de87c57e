/** Runs `npx node bin/release-notes.ts` as a process, on changelogs that the tests write. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';

const command = resolve('bin/release-notes.ts');
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-release-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = '- A line with a [guide](docs/guides/calling.md#errors), and [a page](https://example.com/a).';
const changelog = [
  '# Changelog',
  '## [Unreleased]',
  '- Later.',
  '## [1.2.0] - 2026-12-01',
  `### Jobs\n\n${TEXT}`,
  '## [1.1.0] - 2026-11-01',
  '- Earlier.',
].join('\n\n');

beforeEach(() => {
  writeFileSync(join(folder, 'package.json'), '{"version": "1.2.0"}');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
});

function notes(tag: string, variables: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, GITHUB_REPOSITORY: '', ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, tag], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.trim() };
}

describe('npx node bin/release-notes.ts', () => {
  it('prints the section of the version, without its heading and without other versions', () => {
    expect(notes('v1.2.0')).toEqual({ status: 0, stdout: `### Jobs\n\n${TEXT}\n`, stderr: '' });
  });

  it('links to the files of the repository at the tag in a workflow', () => {
    const variables = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'owner/name' };
    const { stdout } = notes('v1.2.0', variables);
    expect(stdout).toContain('](https://github.com/owner/name/blob/v1.2.0/docs/guides/calling.md#errors)');
    expect(stdout).toContain('](https://example.com/a)');
  });

  it.each(['v1.1.0', '1.2.0', 'v1.2.0-rc.1'])('refuses the tag %s, which is not the version of package.json', (tag) => {
    const stderr = `The tag must be v1.2.0, the version of package.json, got ${tag}.`;
    expect(notes(tag)).toEqual({ status: 1, stdout: '', stderr });
  });

  it.each([
    [
      '## [1.2.0] - unreleased',
      'CHANGELOG.md has the heading "## [1.2.0] - unreleased"; it must be "## [1.2.0] - YYYY-MM-DD".',
    ],
    ['## [1.2.1] - 2026-12-01', 'CHANGELOG.md has no section "## [1.2.0] - YYYY-MM-DD".'],
    ['## [1.2.0] - 2026-12-01\n\n## [1.1.9] - 2026-11-30', 'CHANGELOG.md has nothing in the section of 1.2.0.'],
  ])('refuses a changelog with %j', (heading, stderr) => {
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace('## [1.2.0] - 2026-12-01', heading));
    expect(notes('v1.2.0')).toEqual({ status: 1, stdout: '', stderr });
  });

  it('refuses recorded items that the next `RECORD_ITEMS=true npm test -- test/stored-items/shape` would replace', () => {
    const recorded = join(folder, 'test/stored-items/recorded');
    mkdirSync(recorded, { recursive: true });
    writeFileSync(join(recorded, 'unreleased.json'), '{}');
    const stderr = 'test/stored-items/recorded/unreleased.json must have the version as name: rename it to 1.2.0.json.';
    expect(notes('v1.2.0')).toEqual({ status: 1, stdout: '', stderr });
    rmSync(join(folder, 'test'), { recursive: true });
  });
});

describe('CHANGELOG.md', () => {
  const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

  it('begins with a section for unreleased changes, and has the version of package.json next', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(headings[0]).toBe('[Unreleased]');
    expect(headings[1]).toMatch(
      new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - (?:unreleased|\\d{4}-\\d{2}-\\d{2})$`),
    );
  });

  it('has each version once', () => {
    const versions = headings.map((heading) => heading?.replace(/ - .*/, ''));
    expect(new Set(versions).size).toBe(versions.length);
  });
});
