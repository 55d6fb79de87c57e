/** Runs the commands of package.json with `--help`. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';

/** Time limit of a command that prints its help, in milliseconds. */
const LIMIT = 60_000;

/** Returns the scripts of package.json by name. */
export function scripts(): Readonly<Record<string, string>> {
  const text = readFileSync(join(packageFolder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { scripts: Record<string, string> }).scripts;
}

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of Node.js without variables that could contain AWS credentials or settings. */
export function runProgram(program: string, args: readonly string[]): Promise<Printed> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
  const { promise, resolve } = Promise.withResolvers<Printed>();
  execFile(process.execPath, [program, ...args], { cwd: packageFolder, env, timeout: LIMIT }, (error, stdout, stderr) =>
    resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
  );
  return promise;
}

/** Runs the script of a command, which is a program of Node.js, with these arguments. */
export function runScript(name: string, args: readonly string[]): Promise<Printed> {
  const [, program = ''] = /^(?:[A-Z_]+=\S+ )*(?:exec )?node (?:--\S+ )*([^\s-]\S*)$/.exec(scripts()[name] ?? '') ?? [];
  if (program === '')
    throw new Error(`The script ${name} of package.json must be \`NAME=value node --flag FILE\`, or \`node FILE\`.`);
  return runProgram(program, args);
}

/** @throws Error if the command fails or prints an error */
async function readHelp(name: string, printed: Promise<Printed>): Promise<string> {
  const { code, stdout, stderr } = await printed;
  if (code !== 0 || stderr !== '') throw new Error(`${name} --help exited with ${code}: ${stderr}`);
  return stdout.trim();
}

/** Returns the help of a command of the package's binary, or of the binary itself. */
export const helpOfBinary = (...command: readonly string[]): Promise<string> =>
  readHelp(command.join(' '), runProgram('bin/cli.ts', [...command, '--help']));

const helps = new Map<string, Promise<string>>();

/**
 * Returns the help of a command, which is run once.
 * @throws Error if the command fails or prints an error
 */
export function helpOf(name: string): Promise<string> {
  const help = helps.get(name) ?? readHelp(name, runScript(name, ['--help']));
  helps.set(name, help);
  return help;
}
