import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/mini';
import { type HttpAnswer, Refusal } from './gateway-response.ts';

const headerValue = z.union([z.string(), z.number(), z.boolean()]);

const metadataSchema = z.object({
  statusCode: z.union([z.int().check(z.gte(100), z.lte(599)), z.string().check(z.regex(/^[1-5]\d\d$/))]),
  headers: z.nullish(z.record(z.string(), headerValue)),
  multiValueHeaders: z.nullish(z.record(z.string(), z.array(headerValue))),
});

const responseSchema = z.extend(metadataSchema, { body: z.nullish(z.string()) });
const streamedSchema = z.extend(metadataSchema, { cookies: z.nullish(z.array(z.string())) });

type Metadata = z.output<typeof metadataSchema>;
type Headers = HttpAnswer['headers'];

/**
 * Parses JSON.
 * @throws Refusal if the JSON does not match the schema
 */
function read<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return z.parse(schema, JSON.parse(text));
  } catch (cause) {
    throw new Refusal('INTEGRATION_MALFORMED', { cause });
  }
}

function checkHeaders(headers: Headers): void {
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch (cause) {
    throw new Refusal('INTEGRATION_MALFORMED', { cause });
  }
}

function statusAndHeaders({ statusCode, headers, multiValueHeaders }: Metadata, more: Headers = []) {
  const several = Object.entries(multiValueHeaders ?? {});
  const repeated = new Set(several.map(([name]) => name.toLowerCase()));
  // `multiValueHeaders` overrides the same name in `headers`.
  const single = Object.entries(headers ?? {}).filter(([name]) => !repeated.has(name.toLowerCase()));
  const pairs: Headers = [
    ...single.map(([name, value]) => [name, String(value)] as const),
    ...several.flatMap(([name, values]) => values.map((value) => [name, String(value)] as const)),
    ...more,
  ];
  checkHeaders(pairs);
  const typed = pairs.some(([name]) => name.toLowerCase() === 'content-type');
  const withType: Headers = typed ? pairs : [['Content-Type', 'application/json'], ...pairs];
  return { status: Number(statusCode), headers: withType };
}

/**
 * Converts the result of a function behind an `AWS_PROXY` integration into a response.
 * @throws Refusal if the result does not have the format that API Gateway requires
 */
export function proxyResponse(text: string): HttpAnswer {
  const response = read(responseSchema, text);
  return { ...statusAndHeaders(response), body: response.body ?? '' };
}

/**
 * Converts the metadata that a function streamed into the status and headers of a response.
 * @throws Refusal if the metadata does not have the format that API Gateway requires
 */
export function answerFrom(metadata: string): Omit<HttpAnswer, 'body'> {
  const response = read(streamedSchema, metadata);
  const cookies = (response.cookies ?? []).map((cookie) => ['Set-Cookie', cookie] as const);
  return statusAndHeaders(response, cookies);
}
