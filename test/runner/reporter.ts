/**
 * Reports a run. The report of a run without failures fits on a screen. For a failed test it first prints the
 * expectation, the seeds and the folder with the logs of its file. The last line contains the counts.
 *
 * Tests are listed one by one with --verbose, or if there is only one file. The console output of a file is
 * printed if the file fails. With --verbose, Jest itself prints it immediately.
 */
import { relative } from 'node:path';
import type { AggregatedResult, Test, TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import { keepRunFolder } from './failures.ts';
import { processesThatCarry, stateOf } from './processes.ts';
import { consoleOf, failuresOf } from './report-failure.ts';
import { type FileTime, failedIn, progressLine, summaryOf } from './report-summary.ts';
import { listOfTests } from './report-tests.ts';
import { inRunFolder } from './run-folder.ts';

/** Milliseconds between two progress lines, in a log and on a terminal. */
const PROGRESS = { log: 60_000, terminal: 1_000 };
const CLEAR_LINE = '\r\x1b[2K';

/** Seconds of processor time of this process and all other processes of the run, including exited processes. */
function processorTime(): number | undefined {
  const pids = [process.pid, ...processesThatCarry(`=${inRunFolder()}`)];
  const states = pids.flatMap((pid) => stateOf(pid) ?? []);
  if (states.length === 0) return undefined;
  return states.reduce((sum, { seconds, secondsOfEnded }) => sum + seconds + secondsOfEnded, 0);
}

export default class Reporter {
  readonly #config: Config.GlobalConfig;
  readonly #out: NodeJS.WriteStream;
  readonly #times: FileTime[] = [];
  readonly #heads: string[] = [];
  #results: AggregatedResult | undefined;
  #progress: NodeJS.Timeout | undefined;

  constructor(config: Config.GlobalConfig) {
    this.#config = config;
    // With --json, Jest itself writes to the standard output.
    this.#out = config.json || config.useStderr ? process.stderr : process.stdout;
  }

  onRunStart(results: AggregatedResult): void {
    this.#results = results;
    const period = this.#out.isTTY ? PROGRESS.terminal : PROGRESS.log;
    this.#progress = setInterval(() => this.#showProgress(), period);
    this.#progress.unref();
  }

  onTestResult(test: Test, result: TestResult, results: AggregatedResult): void {
    this.#results = results;
    const file = relative('.', test.path);
    this.#times.push({ file, milliseconds: result.perfStats.runtime });
    if (!result.skipped && (this.#config.verbose || results.numTotalTestSuites === 1))
      this.#print(listOfTests(file, result));
    const failures = failuresOf(file, test, result);
    if (failures.length === 0) return;
    // The process of the file may have exited before it could mark the folder.
    keepRunFolder();
    this.#heads.push(...failures.map(({ head }) => head));
    const blocks = failures.flatMap(({ head, detail }) => [head, '', detail]);
    this.#print(['', ...blocks, ...consoleOf(file, test, result, this.#config), ''].join('\n'));
  }

  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    clearInterval(this.#progress);
    if (results.runExecError) this.#print(results.runExecError.stack ?? results.runExecError.message);
    if (this.#times.length > 1 && failedIn(results) > 0) this.#print(['', ...this.#heads, ''].join('\n'));
    this.#print(summaryOf(results, this.#times, Date.now() - results.startTime, processorTime()));
  }

  #print(text: string): void {
    this.#out.write(`${this.#out.isTTY ? CLEAR_LINE : ''}${text}\n`);
  }

  #showProgress(): void {
    if (!this.#results) return;
    const line = progressLine(this.#results, Date.now() - this.#results.startTime);
    if (!this.#out.isTTY) this.#print(line);
    else if (!this.#config.verbose) this.#out.write(`${CLEAR_LINE}${line}`);
  }
}
