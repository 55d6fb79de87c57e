/** The quotas of AWS, as data: `quotas.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { FILE } from './quota-names.ts';

const row = z.strictObject({
  /** AWS service. */
  service: z.string().check(z.minLength(1)),
  /** What is limited, with its unit. */
  name: z.string().check(z.minLength(1)),
  /** What the limit applies to: an account, a table, a partition key ... */
  of: z.string().check(z.minLength(1)),
  value: z.number().check(z.nonnegative()),
  adjustable: z.boolean(),
  /** What to do when it is reached. */
  next: z.string().check(z.minLength(1)),
  /** The day on which the value was read. */
  date: z.iso.date(),
  source: z.string().check(z.regex(/^https:\/\/docs\.aws\.amazon\.com\/\S+( \(from memory\))?$/)),
});
export type Quota = Readonly<z.infer<typeof row>>;

const quotasSchema = z.record(z.string(), row);
export type Quotas = Readonly<Record<string, Quota>>;

/** @throws Error that names the first field that is missing or invalid */
export function parseQuotas(text: string): Quotas {
  const parsed = z.safeParse(quotasSchema, parse(text, { schema: 'core' }));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`quotas.yaml: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`);
}

/**
 * Returns the quotas, with other values for some of them.
 * @param changes such as `lambdaConcurrency=5000`
 * @throws Error for an unknown name, or a value that is not a number
 */
export function readQuotas(changes: readonly string[] = []): Quotas {
  const quotas = { ...parseQuotas(readFileSync(FILE, 'utf8')) };
  for (const change of changes) {
    const [name = '', text = ''] = change.split(/=(.*)/s);
    const quota = quotas[name];
    if (!quota)
      throw new Error(`There is no quota '${name}' for --quota; the quotas are ${Object.keys(quotas).join(', ')}.`);
    if (!/^\d{1,12}$/.test(text))
      throw new Error(`--quota ${name} must be a whole number from 0 to 999999999999, got '${text}'.`);
    quotas[name] = { ...quota, value: Number(text) };
    // Lambda derives the number of invocations from the number of executions.
    const requests = quotas.lambdaRequests;
    if (name === 'lambdaConcurrency' && requests)
      quotas.lambdaRequests = { ...requests, value: INVOCATIONS_PER_EXECUTION * Number(text) };
  }
  return quotas;
}

const INVOCATIONS_PER_EXECUTION = 10;
