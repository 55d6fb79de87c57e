/**
 * `npm run cost`: prints the monthly cost of the stacks, the cost of an hour of a worker, and of a million jobs.
 */

import { readApp } from '../../../bin/assembly/app.ts';
import { contextFrom } from '../../../bin/assembly/context.ts';
import { synthesize } from '../../../bin/assembly/synthesize.ts';
import { readPrices } from '../../../lib/prices/prices.ts';
import { readRecord } from '../calls/record.ts';
import { runCommand } from '../command.ts';
import { billOf } from './bill.ts';
import { HELP, readOptions } from './options.ts';
import { costPlace, render, renderStanding } from './tables.ts';

async function main(): Promise<void> {
  const { app: folder, context, region, json, record, help } = readOptions(process.argv.slice(2));
  if (help) return void console.log(HELP);
  const prices = readPrices(region);
  const app = folder === undefined ? await synthesize(contextFrom(context)) : readApp(folder);
  const bill = billOf({ app, prices, recorded: readRecord() });
  console.log(json ? JSON.stringify(bill, undefined, 2) : render(bill));
  if (record) costPlace.write(renderStanding(bill));
  if (bill.unpriced.length > 0) process.exitCode = 1;
}

runCommand(main);
