/** What has happened on an endpoint since its first sum, as numbers that never fall. */
import * as z from 'zod/mini';
import { sumOfNumbers } from './histogram.ts';
import { type SpanRow, type Sums, sumOfSums, sumsSchema } from './sums.ts';

const totalsSchema = z.omit(sumsSchema, { payers: true });
export type Totals = Readonly<z.infer<typeof totalsSchema>>;

/** Numbers by their paths in the sums, such as `ended.COMPLETED`. */
const numbersSchema = z.record(z.string(), z.number());
type Numbers = Readonly<z.infer<typeof numbersSchema>>;

export const countedSchema = z.object({
  /** Up to when minutes count, in milliseconds since the epoch. Later minutes were summed and are not counted yet. */
  to: z.number(),
  /** Raised with each change, so that of two sums at the same time one counts. */
  edition: z.number(),
  totals: numbersSchema,
  /** By how much totals are too high after a correction. They stay until as much has been added. */
  owed: z._default(numbersSchema, {}),
  /** What the minutes since `from` have added, while a correction replaces them. */
  replacing: z.optional(z.object({ from: z.number(), numbers: numbersSchema })),
});
export type Counted = Readonly<z.infer<typeof countedSchema>>;

/** Up to when an endpoint is summed. */
export const summedSchema = z.object({
  to: z.number(),
  /** Id of the last request to sum earlier minutes once more; absent if none is pending. */
  correction: z.optional(z.string()),
  /** Up to when what happened was reported; absent if nothing was yet. A correction reports nothing twice. */
  newsTo: z.optional(z.number()),
  /** Absent if no sum has counted yet. */
  counted: z.optional(countedSchema),
});
export type Summed = z.infer<typeof summedSchema>;

/** Returns the numbers of the sums without those by payer. */
export function numbersOf({ payers, ...sums }: Sums): Numbers {
  const entries = Object.entries<number | Readonly<Record<string, number>>>(sums);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === 'number'
        ? [[name, value] as const]
        : Object.entries(value).map(([part, number]) => [`${name}.${part}`, number] as const),
    ),
  );
}

/** Returns the totals in the form of sums. */
export function totalsOf({ totals }: Pick<Counted, 'totals'>): Totals {
  const sums: Record<string, number | Record<string, number>> = {};
  for (const [path, number] of Object.entries(totals)) {
    const [name = '', part] = path.split('.');
    if (part === undefined) sums[name] = number;
    else sums[name] = { ...(sums[name] as Record<string, number> | undefined), [part]: number };
  }
  return totalsSchema.parse(sums);
}

const nonZero = (numbers: Numbers): Numbers =>
  Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== 0));

const none: Counted = { to: 0, edition: 0, totals: {}, owed: {} };

/**
 * Returns the totals with what the minutes since `from` have added to them. It is stored before the minutes are replaced,
 * so that a sum that crashes meanwhile changes nothing.
 * @param rows the minutes since `from`
 */
export function beforeReplacing(counted: Counted, from: number, rows: readonly SpanRow[]): Counted {
  const { from: end, numbers } = counted.replacing ?? { from: counted.to, numbers: {} };
  const added = rows.filter((row) => row.from < end).map(({ sums }) => sums);
  return {
    ...counted,
    edition: counted.edition + 1,
    replacing: { from: Math.min(from, end), numbers: sumOfNumbers([numbers, numbersOf(sumOfSums(added))]) },
  };
}

/**
 * Returns the totals with these minutes, and without those that they replace.
 * @param to up to when minutes are summed
 */
export function countedAfter(
  { replacing, ...before }: Counted = none,
  { to, minutes }: { readonly to: number; readonly minutes: readonly Sums[] },
): Counted {
  const [added, removed] = [numbersOf(sumOfSums(minutes)), replacing?.numbers ?? {}];
  const totals: Record<string, number> = { ...before.totals };
  const owed: Record<string, number> = {};
  for (const path of Object.keys({ ...before.owed, ...removed, ...added })) {
    const change = (added[path] ?? 0) - (removed[path] ?? 0) - (before.owed[path] ?? 0);
    if (change < 0) owed[path] = -change;
    else totals[path] = (totals[path] ?? 0) + change;
  }
  return { to: Math.max(to, before.to), edition: before.edition + 1, totals: nonZero(totals), owed: nonZero(owed) };
}
