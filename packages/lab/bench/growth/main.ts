/** `npm run bench -w packages/lab -- growth`: measures operations with long queues and with many endpoints. */
import { writeFileSync } from 'node:fs';
import { report } from '../command.ts';
import { complaintsOf, growthsOf } from './growth.ts';
import { measureGrowth } from './measure.ts';
import { HELP, readOptions } from './options.ts';
import { plot, plotFile } from './plot.ts';
import { writeRecord } from './record.ts';
import { growthPlace, render } from './table.ts';

/** Maximum number of messages in the queue. Sending more takes minutes, and the takes receive only the first ones. */
const MESSAGES = 10_000;

export async function main(args: readonly string[]): Promise<void> {
  const { help, record, ...sizes } = readOptions(args);
  if (help) return void console.log(HELP);
  const rows = await measureGrowth({ ...sizes, messages: MESSAGES });
  const recorded = { date: new Date().toISOString().slice(0, 10), rows };
  const tables = render(recorded);
  console.log(tables);
  if (record) {
    writeRecord(recorded);
    growthPlace.write(tables);
    for (const dimension of ['jobs', 'endpoints'] as const)
      writeFileSync(plotFile(dimension), plot(growthsOf(rows, dimension), dimension));
  }
  const complaints = (['jobs', 'endpoints'] as const).flatMap((dimension) => complaintsOf(growthsOf(rows, dimension)));
  for (const sentence of complaints) report(sentence);
  if (complaints.length > 0) process.exitCode = 1;
}
