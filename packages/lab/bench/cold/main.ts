/** `npm run bench -w packages/lab -- cold`: measures the import of each function in a new process. */
import { type App, readApp } from '../../../../bin/assembly/app.ts';
import { synthesizeCode } from '../../../../bin/assembly/synthesize.ts';
import { table } from '../../../../bin/pages/aligned-table.ts';
import { BUNDLE_BOUND, bundlesIn, type FunctionBundle } from '../../../../test/support/function-bundles.ts';
import { median } from '../bounds.ts';
import { report } from '../command.ts';
import { environmentOf } from './environment.ts';
import { importOnce } from './import.ts';
import { HELP, readOptions } from './options.ts';

/** Maximum median processor time of an import, in milliseconds. */
const BOUND = 120;

interface Measured extends FunctionBundle {
  /** Medians, in milliseconds. */
  readonly processor: number;
  readonly duration: number;
}

/** Imports the functions in turns, so that a busy moment of the machine does not fall on one function. */
async function measure(functions: readonly FunctionBundle[], runs: number): Promise<Measured[]> {
  const imports = new Map(functions.map(({ name }) => [name, [] as Awaited<ReturnType<typeof importOnce>>[]]));
  for (let run = 1; run <= runs; run += 1) {
    report(`Importing ${functions.length} functions, run ${run} of ${runs} ...`);
    for (const one of functions) imports.get(one.name)?.push(await importOnce(one.file, environmentOf(one)));
  }
  return functions
    .map((one) => {
      const its = imports.get(one.name) ?? [];
      const medianOf = (part: 'processor' | 'duration') => median(its.map((time) => time[part]));
      return { ...one, processor: medianOf('processor'), duration: medianOf('duration') };
    })
    .sort((a, b) => b.processor - a.processor);
}

const isMet = ({ processor, gzipBytes }: Measured) => processor <= BOUND && gzipBytes <= BUNDLE_BOUND;

const render = (measured: readonly Measured[]): string =>
  table(['function', 'processor time, ms', 'duration, ms', 'KB', 'KB gzip', 'bounds'], 1, [
    ...measured.map((one) => [
      one.name,
      one.processor.toFixed(0),
      one.duration.toFixed(0),
      (one.bytes / 1_024).toFixed(0),
      (one.gzipBytes / 1_024).toFixed(0),
      isMet(one) ? 'met' : '**missed**',
    ]),
    ['at most', BOUND, '', '', BUNDLE_BOUND / 1_024, ''],
  ]);

export async function main(args: readonly string[]): Promise<void> {
  const { help, runs, assembly } = readOptions(args);
  if (help) return void console.log(HELP);
  report('Synthesizing the stacks ...');
  const measureAll = (app: App, folder: string) => measure(bundlesIn(app, folder), runs);
  const measured =
    assembly === undefined
      ? // Without the ingress, functions also serve the calls that wait.
        await synthesizeCode({ ingress: 'off' }, measureAll)
      : await measureAll(readApp(assembly), assembly);
  if (!measured.every(isMet)) process.exitCode = 1;
  console.log(render(measured));
}
