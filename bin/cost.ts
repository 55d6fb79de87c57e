/**
 * `npm run cost`: prints the monthly cost of the stacks, the cost of an hour of a worker, and of a million jobs.
 */

import { readPrices } from '../lib/prices/prices.ts';
import { readApp } from './assembly/app.ts';
import { contextFrom } from './assembly/context.ts';
import { synthesize } from './assembly/synthesize.ts';
import { billOf } from './cost/bill.ts';
import { HELP, readOptions } from './cost/options.ts';
import { costPlace, render, renderStanding } from './cost/tables.ts';
import { printText, runCommand } from './flags.ts';
import { readRecord } from './job-calls/record.ts';

async function main(): Promise<void> {
  const { app: folder, context, region, json, record, help } = readOptions(process.argv.slice(2));
  if (help) return printText(HELP);
  const prices = readPrices(region);
  const app = folder === undefined ? await synthesize(contextFrom(context)) : readApp(folder);
  const bill = billOf({ app, prices, recorded: readRecord() });
  console.log(json ? JSON.stringify(bill, undefined, 2) : render(bill));
  if (record) costPlace.write(renderStanding(bill));
  if (bill.unpriced.length > 0) process.exitCode = 1;
}

runCommand(main);
