/** Records the traces that an earlier file of the same process has left, and leaves every kind of trace itself. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { jest } from '@jest/globals';
import yaml from 'yaml';
import { countUses } from './state.ts';

export interface Traces {
  readonly pid: number;
  /** Name of the folder for temporary files. */
  readonly folder: string;
  readonly variable: string | undefined;
  /** How often the project's module has been used. */
  readonly uses: number;
  readonly isPackageKnown: boolean;
  readonly isClockFake: boolean;
  readonly isWriteSpied: boolean;
}

const KNOWN = Symbol.for('packages that samples have seen');

/** Appends the traces to the file in SAMPLE_LOG. */
export function recordTraces(): void {
  const shared = globalThis as { [KNOWN]?: Set<unknown> };
  shared[KNOWN] ??= new Set();
  const known = shared[KNOWN];
  const traces: Traces = {
    pid: process.pid,
    folder: basename(tmpdir()),
    variable: process.env.LEFT_BY_A_SAMPLE,
    uses: countUses(),
    isPackageKnown: known.has(yaml),
    isClockFake: 'clock' in setTimeout,
    isWriteSpied: 'mock' in process.stdout.write,
  };
  appendFileSync(String(process.env.SAMPLE_LOG), `${JSON.stringify(traces)}\n`);
  known.add(yaml);
  process.env.LEFT_BY_A_SAMPLE = 'yes';
  process.env = { ...process.env };
  jest.spyOn(process.stdout, 'write');
  const own = console;
  setTimeout(() => own.warn('@smithy/node-http-handler - [WARN] a request has exceeded the configured time.'), 50);
  jest.useFakeTimers();
  writeFileSync(join(tmpdir(), 'left'), '');
}
