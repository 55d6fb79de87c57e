/** Reads answers of the endpoints that ECS serves to the containers of a task. */
import * as z from 'zod/mini';

const metadataSchema = z.object({
  TaskARN: z.optional(z.string()),
  /** Revision of the task definition within its family. */
  Revision: z.optional(z.string()),
  DesiredStatus: z.optional(z.string()),
  Containers: z.optional(z.array(z.object({ Name: z.optional(z.string()), KnownStatus: z.optional(z.string()) }))),
});

const protectionSchema = z.object({
  protection: z.nullish(z.object({ ProtectionEnabled: z.nullish(z.boolean()) })),
  failure: z.nullish(z.object({ Reason: z.nullish(z.string()) })),
});

/** The fields of the task metadata endpoint that the agent reads. */
export type TaskMetadata = z.output<typeof metadataSchema>;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('ECS returned a body that is not JSON.', { cause });
  }
}

function read<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, jsonIn(text));
  if (success) return data;
  const faults = error.issues.map(({ path, code }) => `${path.join('.') || 'the body'}: ${code}`);
  throw new Error(`ECS returned unexpected content: ${faults.join(', ')}.`);
}

/**
 * Parses the answer of the task metadata endpoint.
 * @throws Error that names the fields with unexpected content
 */
export const taskMetadataFrom = (text: string): TaskMetadata => read(metadataSchema, text);

/**
 * Parses the answer to a request for task protection.
 * @throws Error that names the fields with unexpected content
 */
export const protectionFrom = (text: string): z.output<typeof protectionSchema> => read(protectionSchema, text);
