/**
 * Measures one parser in a process of its own: `node packages/lab/bounds/parsers/measure.ts PLACE PARSER`. Prints a
 * `Measured` as JSON.
 *
 * All times are processor time of the thread, so other processes do not change them much. A block is the processor time
 * between two turns of the event loop. The first run of each input is measured for its memory only: its code is not yet
 * compiled as in later runs, and its pages are new to the process. Each other figure is from several runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parsersOf } from './all.ts';
import type { Parser, Place } from './parser.ts';

export interface Measured {
  /** Longest block in milliseconds, with the largest input: the median of the runs. */
  readonly block: number;
  /**
   * Processor time in milliseconds: the longest run with half of the largest input, and the shortest with all of it, so
   * that one slow run is not taken for time that is not linear.
   */
  readonly half: number;
  readonly whole: number;
  /** Bytes of memory that the process needed in addition while it parsed the largest input. */
  readonly memory: number;
  /** Number of requests that the page has sent to its worker; only for the console. */
  readonly asked?: number;
}

/** Twice the input takes twice the time if it is linear, and four times if it is quadratic. */
export const MAX_RATIO = 3;

const RUNS = 3;
/** Time of the runs in milliseconds after which a parser is not run again: little of it is noise. */
const ENOUGH = 1_000;

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export interface Run {
  readonly block: number;
  readonly total: number;
  /** Milliseconds on the clock, in which a worker of the page may have run. */
  readonly elapsed: number;
}

/** Runs the parser once. A failure is a result: most of the worst inputs are invalid. */
export async function runOnce(parse: () => unknown): Promise<Run> {
  let block = 0;
  let since = threadTime();
  let isOver = false;
  const turn = () => {
    const now = threadTime();
    block = Math.max(block, now - since);
    since = now;
  };
  const began = since;
  const start = performance.now();
  const parsed = (async () => parse())()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    await setImmediate();
    turn();
  }
  await parsed;
  turn();
  return { block, total: threadTime() - began, elapsed: performance.now() - start };
}

async function runs(parse: () => unknown): Promise<Run[]> {
  const done: Run[] = [];
  const spent = () => done.reduce((sum, { elapsed }) => sum + elapsed, 0);
  while (done.length === 0 || (done.length < RUNS && spent() < ENOUGH)) done.push(await runOnce(parse));
  return done;
}

/** Resets the peak of the process's memory (`VmHWM`), where Linux permits it. */
const resetPeak = () => writeFileSync('/proc/self/clear_refs', '5');

/** Returns a field of `/proc/self/status` in bytes. */
function memoryField(name: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/**
 * Runs the parser once.
 * @returns the memory in bytes that it needs in addition to its input
 */
async function memoryOf(parse: () => unknown): Promise<number> {
  globalThis.gc?.();
  resetPeak();
  const before = memoryField('VmRSS');
  await runOnce(parse);
  return Math.max(0, memoryField('VmHWM') - before);
}

export async function measure(parser: Parser): Promise<Measured> {
  const parseHalf = await parser.prepare(Math.ceil(parser.size / 2));
  await runOnce(parseHalf);
  const half = await runs(parseHalf);
  const parse = await parser.prepare(parser.size);
  const memory = await memoryOf(parse);
  const longestHalf = Math.max(...half.map(({ total }) => total));
  const whole = await runs(parse);
  const shortest = () => Math.min(...whole.map(({ total }) => total));
  // A long run is not repeated, so the only one can be slow for another reason, such as a collection of garbage.
  while (whole.length < RUNS && shortest() > MAX_RATIO * longestHalf) whole.push(await runOnce(parse));
  return {
    block: median(whole.map(({ block }) => block)),
    half: longestHalf,
    whole: shortest(),
    memory,
    ...(parser.asked && { asked: parser.asked() }),
  };
}

if (process.argv[1] === import.meta.filename) {
  const [place, name] = process.argv.slice(2) as [Place, string];
  const parser = (await parsersOf(place)).find(({ parses }) => parses === name);
  if (!parser) throw new Error(`${place} has no parser of ${name}.`);
  process.stdout.write(JSON.stringify(await measure(parser)));
  process.exit();
}
