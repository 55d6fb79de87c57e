/** Tests `gpu-endpoints init`, which writes the repository of a team. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { init } from '../../../bin/init/init.ts';

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-init-'));
  printed = [];
  const print = (text: string) => void printed.push(text);
  jest.spyOn(console, 'log').mockImplementation(print);
  jest.spyOn(console, 'error').mockImplementation(print);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  process.exitCode = undefined;
});

const readme = () => readFileSync(join(folder, 'README.md'), 'utf8');

it('prints the next commands, each of this binary', async () => {
  await init(folder, {}, undefined);
  expect(printed.join('\n')).toMatch(
    /\n {2}npx gpu-endpoints dev .*\n {2}npx gpu-endpoints validate .*\n {2}npx gpu-endpoints deploy .*$/,
  );
});

describe('files with another content', () => {
  beforeEach(() => writeFileSync(join(folder, 'README.md'), 'mine'));

  it('are overwritten only if the user types yes', async () => {
    const questions: string[] = [];
    for (const answer of ['', 'y', 'no']) {
      await init(folder, {}, async (question) => {
        questions.push(question.trim());
        return answer;
      });
      expect([readme(), process.exitCode]).toEqual(['mine', 2]);
    }
    expect(new Set(questions)).toEqual(new Set(['Type yes to overwrite them:']));
    process.exitCode = undefined;
    await init(folder, {}, async () => 'yes');
    expect([readme() === 'mine', process.exitCode]).toEqual([false, undefined]);
  });

  it('stay without a terminal, which the command says, and are overwritten with --force', async () => {
    await init(folder, {}, undefined);
    expect([readme(), process.exitCode]).toEqual(['mine', 2]);
    expect(printed.join('\n')).toContain('  README.md\nNothing is written. Use --force to overwrite them.');
    await init(folder, { force: true }, undefined);
    expect(readme()).not.toBe('mine');
  });
});
