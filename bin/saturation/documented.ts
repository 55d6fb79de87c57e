/** The loads of docs/reference/quotas.md. */
import { readPrices } from '../../lib/prices/prices.ts';
import { readRecord } from '../job-calls/record.ts';
import { costOf, type Kind, kinds, type Load } from './load.ts';
import { readQuotas } from './quotas.ts';
import { type Saturation, saturationOf } from './saturation.ts';
import { renderDocument } from './table.ts';

/** The load of the document, which has each of these rates. */
const RATES = [100, 1_000, 10_000, 100_000, 1_000_000];
const ENDPOINTS = [1, 20, 1_000];
const documented: Load = {
  jobsPerSecond: 100,
  endpoints: 1_000,
  jobSeconds: 1,
  concurrency: 1,
  kind: 'run',
  workers: 'gpu',
  vcpus: 4,
  secrets: false,
};

/** @returns the tables of the document, with AWS's default quotas */
export function documentOf(): string {
  const [recorded, prices, quotas] = [readRecord(), readPrices(), readQuotas()];
  const of = (load: Load): Saturation => saturationOf(load, { cost: costOf(recorded, load.kind), prices }, quotas);
  return renderDocument({
    firsts: ENDPOINTS.flatMap((endpoints) =>
      (Object.keys(kinds) as Kind[]).map((kind) => of({ ...documented, endpoints, kind })),
    ),
    rates: RATES.map((jobsPerSecond) => of({ ...documented, jobsPerSecond })),
    quotas,
    date: recorded.date,
  });
}
