/** Runs client programs: the test's own, and those of documentation pages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

export interface Program {
  /** Source code in the language of the interpreter. */
  readonly source: string;
  /** Command that reads the program from its standard input. */
  readonly interpreter: readonly string[];
  /**
   * Folder in which the interpreter finds packages and modules.
   * @default - this repository
   */
  readonly folder?: string | undefined;
}

export interface Outcome {
  readonly code: number | null;
  readonly printed: string;
  readonly wrong: string;
}

export const nodeWith = (packages: string) =>
  ({ interpreter: [process.execPath, '--input-type=module', '-'], folder: packages }) as const;
/** Programs import `client_checks` from this folder. `-B` writes no compiled modules there. */
export const pythonOf = (python: string) =>
  ({ interpreter: [python, '-B', '-'], folder: import.meta.dirname }) as const;

export async function run({ source, interpreter, folder }: Program, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const [command = '', ...args] = interpreter;
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' });
  child.stdin.end(source);
  const [printed, wrong] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, printed, wrong };
}

/** @returns the last line that the program printed, parsed as JSON */
export async function resultsOf(program: Program, env: NodeJS.ProcessEnv): Promise<Readonly<Record<string, unknown>>> {
  const { code, printed, wrong } = await run(program, env);
  if (code !== 0) throw new Error(`The program exited with ${code}: ${wrong.slice(-4_000)}`);
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

/** Returns all code blocks of a language below a heading of a page, joined in their order. */
export function programOf(page: string, heading: string, language: 'python' | 'js'): string {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n## ${heading}\n`);
  const [inside = ''] = section.split(/^## /m);
  const blocks = [...inside.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  if (blocks.length === 0) throw new Error(`${page} has no ${language} block below "${heading}".`);
  return blocks.map(([, block = '']) => block).join('\n');
}
