/** A terminal with an interactive Bash, in which a test types. `script` connects it with a pseudo-terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { shownText } from './output.ts';

const SETTINGS = join(import.meta.dirname, 'terminal.bashrc');
const SHELL = `bash --noprofile --rcfile '${SETTINGS}' --noediting`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no program prints these characters
const PROMPT = /\x1e(\d+|>)\x1f/;
const CTRL_C = '\x03';

/** What Bash is ready for: another command, or another line of the same command. */
export type Prompt = { readonly exitCode: number } | { readonly exitCode: undefined };

export interface Terminal {
  /** Types a line. */
  type(line: string): void;
  interrupt(): void;
  /** The prompt after the last line typed; undefined while its command runs. */
  prompt(): Prompt | undefined;
  /** Returns the output that has not been read. */
  unread(): string;
  /** Marks a number of characters of the output as read, or all. */
  read(length?: number): void;
  /** Hangs up, which ends the running command. Resolves when the shell has exited. */
  close(): Promise<void>;
}

/** Opens a terminal in the folder. Resolves when its shell is ready. */
export async function openTerminal(folder: string, env: NodeJS.ProcessEnv): Promise<Terminal> {
  const args = ['--quiet', '--flush', '--command', SHELL, '/dev/null'];
  const child = spawn('script', args, { cwd: folder, env: { ...env, TERM: 'dumb' }, stdio: 'pipe' });
  let output = '';
  let prompt: Prompt | undefined;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();

  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (let match = PROMPT.exec(output); match; match = PROMPT.exec(output)) {
        const [all, code] = match;
        output = output.slice(0, match.index) + output.slice(match.index + all.length);
        prompt = { exitCode: code === '>' ? undefined : Number(code) };
        isReady();
      }
    });
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'exit');
  await Promise.race([
    ready,
    exited.then(([code]) => {
      throw new Error(`\`script\` exited with ${code}: ${output}`);
    }),
  ]);

  return {
    type(line) {
      prompt = undefined;
      child.stdin.write(`${line}\n`);
    },
    interrupt: () => void child.stdin.write(CTRL_C),
    prompt: () => prompt,
    unread: () => shownText(output),
    read(length) {
      output = length === undefined ? '' : shownText(output).slice(length);
    },
    async close() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
