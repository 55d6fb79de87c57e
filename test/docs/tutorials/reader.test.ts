import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stepsOf } from './page.ts';
import { Reader } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'reader-'));
const FENCE = '```';
const block = (language: string, ...lines: string[]) => [FENCE + language, ...lines, FENCE, ''].join('\n');

/** Follows the parts of a page in the folder. */
async function follow(...parts: string[]): Promise<void> {
  const notRun = { 'docker build .': 'a test' };
  const reader = new Reader({ folder, env: { ...process.env, PORT: '4000' }, notRun });
  try {
    await reader.follow('page.md', stepsOf(parts.join('\n')));
  } finally {
    await reader.close();
  }
}

describe('the reader of a tutorial', () => {
  it('saves files, types commands of several lines, and keeps variables', async () => {
    await follow(
      block('python', '# new/greet.txt', 'hello'),
      block(
        'sh',
        'NAME=$(tail -1 new/greet.txt)',
        'for n in 1 2; do',
        '  echo "$n \\',
        '$NAME"',
        'done',
        '',
        '# a comment',
        'cat <<END',
        'http://127.0.0.1:$PORT',
        'END',
        'echo :3000 $PORT',
      ),
      block('text', '1 hello', '2 hello', 'http://127.0.0.1:3000', ':3000 4000'),
    );
    expect(readFileSync(join(folder, 'new/greet.txt'), 'utf8')).toBe('# new/greet.txt\nhello\n');
  });

  it('continues while a command runs, and presses Ctrl-C', async () => {
    await follow(
      block('sh', 'bash -c "trap \'echo stopped; exit\' INT; echo ready; while true; do sleep 0.1; done"'),
      block('text', 'ready'),
      block('sh', '# terminal 2', 'test -z "$NAME" && echo new'),
      block('text', 'new'),
      'Press Ctrl-C in terminal 1. It prints:',
      '',
      block('text', '…', 'stopped'),
    );
  });

  it('runs no command that a rule replaces or that the page declares', async () => {
    await follow(block('sh', 'npm ci && echo installed', 'docker build .'), block('text', 'installed'));
  });

  it.each([
    [
      'a command fails',
      [block('sh', 'echo before', 'no-such-command')],
      /^page\.md:2: `no-such-command` exited with 127\. It printed:\n {2}\| before\n.*not found$/s,
    ],
    [
      'the output differs',
      [block('sh', 'echo other'), block('text', 'one')],
      /^page\.md:6: The page shows:\n {2}\| one\nTerminal 1 has printed:\n {2}\| other$/,
    ],
    [
      'a running command ends',
      [block('sh', 'echo one; exit_code=3; (exit 3)'), block('text', 'two'), 'Press Ctrl-C in terminal 1.'],
      /The command exited with 3\.$/,
    ],
    [
      'Ctrl-C ends no command',
      [block('sh', 'echo one; sleep 600'), block('text', 'one'), 'Press Ctrl-C in terminal 1. '.repeat(2)],
      /No command runs in this terminal/,
    ],
    [
      'the page does not show when a command is ready',
      [block('sh', 'sleep 600'), 'Press Ctrl-C in terminal 1.'],
      /does not show what this command prints/,
    ],
    ['a block is not run', [block('python', 'print(1)')], /^page\.md:2: No rule says how a block in python is run\.$/],
    [
      'a Dockerfile copies a missing file',
      [block('dockerfile', '# Dockerfile', 'FROM a', 'COPY no.py .', 'CMD ["a"]')],
      /`COPY no\.py \.` copies no\.py, which does not exist/,
    ],
  ])('reports the line of the page if %s', async (_, parts, message) => {
    await expect(follow(...parts)).rejects.toThrow(message);
  });
});

it('leaves no file in the repository', () => {
  expect(existsSync('new/greet.txt')).toBe(false);
});
