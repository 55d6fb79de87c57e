/** Reads the embedded metric format, in which programs log metrics as lines of JSON. */
import * as z from 'zod/mini';
import type { Dimensions, Metrics } from './metrics.ts';

const directiveSchema = z.object({
  Namespace: z.string(),
  /** Sets of names of members. The metrics are counted once for each set. */
  Dimensions: z.array(z.array(z.string())),
  Metrics: z.array(z.object({ Name: z.string() })),
});

const lineSchema = z.looseObject({
  _aws: z.object({ Timestamp: z.number(), CloudWatchMetrics: z.array(directiveSchema) }),
});

const dimensionsSchema = z.record(z.string(), z.string());
const valuesSchema = z.union([z.number(), z.array(z.number())]);

function parse(line: string): z.output<typeof lineSchema> | undefined {
  try {
    return z.safeParse(lineSchema, JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Returns the dimensions of a set; undefined if the line lacks one of them. */
function dimensionsOf(line: object, names: readonly string[]): Dimensions | undefined {
  const members = new Map<string, unknown>(Object.entries(line));
  return z.safeParse(dimensionsSchema, Object.fromEntries(names.map((name) => [name, members.get(name)]))).data;
}

/** Returns a function that adds the metrics in a line of a log. Like CloudWatch, it ignores lines with errors. */
export function createEmbeddedReader(metrics: Pick<Metrics, 'put'>): (line: string) => void {
  return (text) => {
    // Most lines have no metrics.
    const line = text.includes('"_aws"') ? parse(text) : undefined;
    for (const { Namespace, Dimensions, Metrics } of line?._aws.CloudWatchMetrics ?? []) {
      const values = Metrics.flatMap(({ Name }) => {
        const { data } = z.safeParse(valuesSchema, line?.[Name]);
        return data === undefined ? [] : [[Name, data] as const];
      });
      for (const names of Dimensions) {
        const dimensions = dimensionsOf(line ?? {}, names);
        if (dimensions) metrics.put(Namespace, dimensions, Object.fromEntries(values), line?._aws.Timestamp);
      }
    }
  };
}
