import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/mini';
import { type HttpAnswer, Refusal } from './gateway-response.ts';

const headerValue = z.union([z.string(), z.number(), z.boolean()]);

const responseSchema = z.object({
  statusCode: z.union([z.int().check(z.gte(100), z.lte(599)), z.string().check(z.regex(/^[1-5]\d\d$/))]),
  headers: z.nullish(z.record(z.string(), headerValue)),
  multiValueHeaders: z.nullish(z.record(z.string(), z.array(headerValue))),
  body: z.nullish(z.string()),
});

function checkHeaders(headers: HttpAnswer['headers']): void {
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch {
    throw new Refusal('INTEGRATION_MALFORMED');
  }
}

/**
 * The HTTP answer from what a function behind an `AWS_PROXY` integration returned.
 * @throws Refusal if that does not have the form which API Gateway asks for
 */
export function proxyResponse(text: string): HttpAnswer {
  const response = z.safeParse(responseSchema, JSON.parse(text));
  if (!response.success) throw new Refusal('INTEGRATION_MALFORMED');
  const { statusCode, headers, multiValueHeaders, body } = response.data;
  const several = Object.entries(multiValueHeaders ?? {});
  const repeated = new Set(several.map(([name]) => name.toLowerCase()));
  // A name in both counts as it is in `multiValueHeaders`.
  const single = Object.entries(headers ?? {}).filter(([name]) => !repeated.has(name.toLowerCase()));
  const pairs = [
    ...single.map(([name, value]) => [name, String(value)] as const),
    ...several.flatMap(([name, values]) => values.map((value) => [name, String(value)] as const)),
  ];
  checkHeaders(pairs);
  const typed = pairs.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: Number(statusCode),
    headers: typed ? pairs : [['Content-Type', 'application/json'], ...pairs],
    body: body ?? '',
  };
}
