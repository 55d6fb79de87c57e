/**
 * `gpu-endpoints cost estimate`: prints the monthly cost of the stacks, the cost of an hour of a worker, and of a million jobs.
 */

import { DEFAULT_REGION, hasPrices, readPrices } from '../lib/prices/prices.ts';
import { readApp } from './assembly/app.ts';
import { type SettingFlags, settingsOf } from './assembly/context.ts';
import { synthesize } from './assembly/synthesize.ts';
import { declaredRegion } from './chosen-deployment.ts';
import { printJson, widthOf } from './client/print.ts';
import { billOf } from './cost/bill.ts';
import { renderBrief } from './cost/brief.ts';
import { costPlace, render, renderStanding } from './cost/tables.ts';
import { readRecord } from './job-calls/record.ts';
import type { CostFlags } from './repository/options.ts';

/** Returns the Region of the environment if its prices are recorded, otherwise undefined with a warning. */
function pricedRegion(settings: SettingFlags): string | undefined {
  const region = declaredRegion(settingsOf(settings));
  if (region === undefined || hasPrices(region)) return region;
  console.error(`Prices are those of ${DEFAULT_REGION}; no prices of ${region} are recorded.`);
  return undefined;
}

/** Prints the costs. Sets the exit code. */
export async function estimate({ app: folder, region, json, all, record, ...settings }: CostFlags): Promise<void> {
  const prices = readPrices(region ?? (folder === undefined ? pricedRegion(settings) : undefined));
  const app = folder === undefined ? await synthesize(settingsOf(settings)) : readApp(folder);
  const bill = billOf({ app, prices, recorded: readRecord() });
  if (json) printJson(bill);
  else console.log(all ? render(bill) : renderBrief(bill, widthOf(process.stdout)));
  if (record) costPlace.write(renderStanding(bill));
  if (bill.unpriced.length > 0) process.exitCode = 1;
}
