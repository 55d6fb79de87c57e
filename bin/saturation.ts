/** `npm run saturation`: prints which quota of AWS and which limit of the service a load uses up first. */
import { readPrices } from '../lib/prices/prices.ts';
import { runCommand } from './flags.ts';
import { readRecord } from './job-calls/record.ts';
import { documentOf } from './saturation/documented.ts';
import { costOf } from './saturation/load.ts';
import { HELP, readOptions } from './saturation/options.ts';
import { readQuotas } from './saturation/quotas.ts';
import { saturationOf } from './saturation/saturation.ts';
import { loadPlace, render } from './saturation/table.ts';

async function main(): Promise<void> {
  const { help, json, all, record, quota, load } = readOptions(process.argv.slice(2));
  if (help) return void console.log(HELP);
  const basis = { cost: costOf(readRecord(), load.kind), prices: readPrices() };
  const saturation = saturationOf(load, basis, readQuotas(quota));
  console.log(json ? JSON.stringify(saturation, undefined, 2) : render(saturation, all));
  if (record) loadPlace.write(documentOf());
}

runCommand(main);
