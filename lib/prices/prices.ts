/** The prices of AWS, as data: one file for each Region, `lib/prices/REGION.yaml`. */
import { globSync, readFileSync } from 'node:fs';
import { join, parse as pathOf } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const row = z.strictObject({
  /** US dollars. */
  price: z.number().check(z.nonnegative()),
  /** The day on which the price was valid. */
  date: z.iso.date(),
  source: z.string().check(z.minLength(1)),
});
export type PriceRow = z.infer<typeof row>;

const milliseconds = z.number().check(z.nonnegative());

const pricesSchema = z.strictObject({
  perMillion: z.strictObject({
    apiGatewayRequest: row,
    distributionRequest: row,
    distributionFunction: row,
    lambdaRequest: row,
    lambdaGbSecond: row,
    writeUnit: row,
    readUnit: row,
    sqsRequest: row,
    s3Put: row,
    s3Get: row,
    kmsRequest: row,
    secretRequest: row,
    expressRequest: row,
    expressGbSecond: row,
    pipeRequest: row,
  }),
  perHour: z.strictObject({
    natGateway: row,
    publicAddress: row,
    interfaceEndpoint: row,
    loadBalancer: row,
    balancerUnit: row,
    fargateVcpu: row,
    fargateGb: row,
    fargateArmVcpu: row,
    fargateArmGb: row,
  }),
  perMonth: z.strictObject({
    kmsKey: row,
    secret: row,
    alarm: row,
    fastAlarm: row,
    metric: row,
    dashboard: row,
    webAcl: row,
    webAclRule: row,
    /** One MiB/s of a gp3 volume above the included throughput. */
    diskThroughput: row,
    /** One operation per second of a gp3 volume above the included number. */
    diskOperation: row,
  }),
  perGb: z.strictObject({
    diskMonth: row,
    tableMonth: row,
    tableBackupMonth: row,
    objectMonth: row,
    imageMonth: row,
    logMonth: row,
    logIngested: row,
    natProcessed: row,
    distributedOut: row,
    distributedToOrigin: row,
    fileMonth: row,
    fileRead: row,
    fileWritten: row,
    coldFileMonth: row,
    coldFileRead: row,
    coldFileMoved: row,
  }),
  /** Prices by EC2 instance type. */
  instanceHour: z.record(z.string(), row),
  assumedMs: z.strictObject({
    authorizer: milliseconds,
    handler: milliseconds,
    ledger: milliseconds,
    scheduled: milliseconds,
  }),
});

export type Prices = z.infer<typeof pricesSchema> & { readonly region: string };

const FOLDER = import.meta.dirname;
export const DEFAULT_REGION = 'us-east-1';

/** The Regions that have a price file. */
const pricedRegions = (): string[] =>
  globSync('*.yaml', { cwd: FOLDER })
    .map((file) => pathOf(file).name)
    .toSorted();

export const hasPrices = (region: string): boolean => pricedRegions().includes(region);

/** Returns the oldest date of the rows. */
export const asOf = (rows: Readonly<Record<string, PriceRow>>): string =>
  Object.values(rows)
    .map(({ date }) => date)
    .toSorted()[0] ?? 'never';

/** @throws Error that names the first field that is missing or invalid */
export function parsePrices(region: string, text: string): Prices {
  const parsed = z.safeParse(pricesSchema, parse(text, { schema: 'core' }));
  if (parsed.success) return { ...parsed.data, region };
  const [issue] = parsed.error.issues;
  throw new Error(`lib/prices/${region}.yaml: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`);
}

/**
 * Reads the prices of a Region.
 * @throws Error if the Region has no price file. The message lists the Regions that have one.
 */
export function readPrices(region = DEFAULT_REGION): Prices {
  const known = pricedRegions();
  if (!known.includes(region))
    throw new Error(`There are no prices for ${region}; there are prices for ${known.join(', ')} (lib/prices).`);
  return parsePrices(region, readFileSync(join(FOLDER, `${region}.yaml`), 'utf8'));
}

let all: readonly Prices[] | undefined;

/**
 * Returns the prices of every Region that has a price file. Each file is read only once in a process, because each
 * endpoint of a synthesis needs the prices.
 */
export function allPrices(): readonly Prices[] {
  all ??= pricedRegions().map((region) => readPrices(region));
  return all;
}
