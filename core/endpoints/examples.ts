/** Inputs that the file of an endpoint shows its users: the playground of the console offers them. */
import * as z from 'zod/mini';

/** Most examples of an endpoint, characters of a name, and bytes of all as JSON. */
export const exampleLimits = { count: 20, name: 64, bytes: 16_384 } as const;

export const examplesSchema = z.array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }));

export type Example = z.infer<typeof examplesSchema>[number];
