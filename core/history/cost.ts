/** What an attempt of a job costs: its share of its worker's time, at the price of the worker. */
import * as z from 'zod/mini';
import type { WorkerPrice } from '../endpoints/endpoint.ts';
import { HOUR } from '../limits.ts';

/** Members of rows of attempts and jobs. */
export const costSchema = {
  /**
   * Share of the worker's time, in milliseconds: of n jobs that ran at once, each has one nth. All of the attempt's time
   * if the worker did not report its share.
   */
  workerTime: z.optional(z.int().check(z.gte(0))),
  /** Absent if the price of the worker is unknown. */
  dollars: z.optional(z.number().check(z.gte(0))),
};

/** Dollars are rounded to 1e-9, so that a million jobs add up to the cent. */
const DIGITS = 9;

/** Returns what a worker costs in this time in US dollars, not rounded. */
export const dollarsOf = (milliseconds: number, { hour }: Pick<WorkerPrice, 'hour'>): number =>
  (milliseconds / HOUR) * hour;

/** Rounds dollars as rows contain them. */
export const roundedDollars = (dollars: number): number => Number(dollars.toFixed(DIGITS));

/** Adds the dollars to a row with a time. */
export function withDollars<Row extends { readonly workerTime?: number | undefined }>(
  row: Row,
  price: WorkerPrice | undefined,
): Row & { readonly dollars?: number } {
  if (row.workerTime === undefined || price === undefined) return row;
  return { ...row, dollars: roundedDollars(dollarsOf(row.workerTime, price)) };
}
