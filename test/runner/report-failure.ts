/** Reports a failed test file. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { getConsoleOutput } from '@jest/console';
import type { AssertionResult, Test, TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { keptConsole } from './failures.ts';
import { folderOfFile } from './run-folder.ts';
import { storedSeeds } from './seed.ts';

/** Maximum number of lines of an error beside the name of the test. All lines follow below. */
const ERROR_LINES = 8;
/** Maximum number of characters of one of these lines. */
const LINE_LENGTH = 400;

const WITH_STACK = { noStackTrace: false };
const FRAME = /^\s+at /;
/** Matches stack frames of modules that test files import as `@jest/globals`. */
const FORWARDING = /\n\s+at [^\n]*\/test\/runner\/jest-globals\.ts:[^\n]*/g;
/** Matches addresses of modules with the generation that `fresh-modules.ts` adds. */
const ADDRESS = /(file:\/\/\/[^\s?:]+)(?:\?generation=\d+)?/g;

/** Replaces addresses of modules by their paths, and drops the runner's own frames. */
function readable(stack: string): string {
  return stack.replaceAll(FORWARDING, '').replaceAll(ADDRESS, (_, address: string) => fileURLToPath(address));
}

/** Returns the error's message, without its stack. */
function messageOf(error: string): string[] {
  const lines = stripVTControlCharacters(error)
    .replace(/^Error: /, '')
    .split('\n');
  const frame = lines.findIndex((line) => FRAME.test(line));
  const message = lines.slice(0, frame === -1 ? lines.length : frame).filter((line) => line.trim() !== '');
  const shown = message.map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)} ...` : line));
  return shown.length > ERROR_LINES ? [...shown.slice(0, ERROR_LINES), '...'] : shown;
}

function labelled(label: string, [first = '', ...rest]: readonly string[]): string[] {
  const indent = ' '.repeat(9);
  return [`  ${`${label}:`.padEnd(7)}${first}`, ...rest.map((line) => `${indent}${line}`)];
}

export interface Failure {
  /** Short description of the failure: file, name, expectation, seeds and logs. */
  readonly head: string;
  /** The whole error, with its position in the sources. */
  readonly detail: string;
}

/** Returns the command that runs a file, given its path relative to the repository. */
export function commandFor(file: string): string {
  const [, folder] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  const command = file.endsWith('.long.ts') ? 'npm run test:long' : 'npm test';
  return `${command}${folder === undefined ? '' : ` -w ${folder}`} -- ${file}`;
}

/** @param file path relative to the repository */
function headOf(file: string, name: string, error: string): string {
  const seeds = storedSeeds().filter((stored) => stored.file === file);
  const set = seeds.map(({ name: variable, seed }) => `${variable}=${seed}`);
  const logs = folderOfFile(file);
  return [
    `FAILED ${file}`,
    ...labelled('test', [name]),
    ...labelled('error', messageOf(error)),
    ...(set.length > 0 ? labelled('seeds', [`${set.join(' ')} ${commandFor(file)}`]) : []),
    ...(existsSync(logs) ? labelled('logs', [logs]) : []),
  ].join('\n');
}

function detailOf(test: AssertionResult, config: Config.ProjectConfig, path: string): string {
  const failureMessages = test.failureMessages.map(readable);
  // Without `failureDetails`, Jest formats the strings in `failureMessages`.
  const shown = { ...test, failureMessages, failureDetails: [] };
  return formatResultsErrors([shown], config, WITH_STACK, path) ?? '';
}

/** @param file path relative to the repository */
export function failuresOf(file: string, { context }: Test, result: TestResult): Failure[] {
  const { testExecError, testResults } = result;
  const { config } = context;
  const failed = ({ status }: AssertionResult) => status === 'failed';
  const ofTests = testResults.filter(failed).map((test) => ({
    head: headOf(file, test.fullName, test.failureMessages[0] ?? ''),
    detail: detailOf(test, config, result.testFilePath),
  }));
  if (!testExecError) return ofTests;
  const message = testExecError.message || testExecError.stack || '';
  const error = { ...testExecError, stack: readable(testExecError.stack ?? message) };
  const name = testResults.length === 0 ? '(the file cannot be run)' : '(the file fails outside of its tests)';
  return [
    ...ofTests,
    { head: headOf(file, name, message), detail: formatExecError(error, config, WITH_STACK, result.testFilePath) },
  ];
}

/** Returns the console output of the test file. */
export function consoleOf(
  file: string,
  { context }: Test,
  result: TestResult,
  globalConfig: Config.GlobalConfig,
): string[] {
  const lines = result.console?.map((entry) => ({ ...entry, origin: readable(entry.origin) })) ?? [];
  const text =
    lines.length > 0 ? getConsoleOutput(lines, context.config, globalConfig) : keptConsole(folderOfFile(file));
  return text ? [`Console of ${file}:\n`, text.trimEnd()] : [];
}
