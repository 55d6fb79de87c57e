/** `gpu-endpoints saturation`: prints which quota of AWS and which limit of the service a load uses up first. */
import { readPrices } from '../lib/prices/prices.ts';
import { printJson } from './client/print.ts';
import { readRecord } from './job-calls/record.ts';
import type { SaturationFlags } from './repository/options.ts';
import { documentOf } from './saturation/documented.ts';
import { costOf } from './saturation/load.ts';
import { loadOf } from './saturation/options.ts';
import { readQuotas } from './saturation/quotas.ts';
import { saturationOf } from './saturation/saturation.ts';
import { quotasPlace, render } from './saturation/table.ts';

/** Prints what the load uses up first. */
export function saturation({ json, all = false, record, quota, ...flags }: SaturationFlags): void {
  const load = loadOf(flags);
  const basis = { cost: costOf(readRecord(), load.kind), prices: readPrices() };
  const found = saturationOf(load, basis, readQuotas(quota));
  if (json) printJson(found);
  else console.log(render(found, all));
  if (record) quotasPlace.write(documentOf());
}
