/** Operations of services that use AWS's JSON protocol, such as DynamoDB, SQS and Step Functions. */
import type { Readable } from 'node:stream';
import type { HttpResponse } from '@smithy/core/protocols';
import { textOf } from '../../core/http/text.ts';
import { commandOf } from './service-client.ts';

export interface JsonProtocol {
  /** The name of the service's interface, which the name of an operation follows in the header `x-amz-target`. */
  readonly target: string;
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
}

export interface JsonCodec<Input, Output> {
  readonly name: string;
  /** @returns the input as the service expects it. @default - the input itself */
  encode?(input: Input): unknown;
  /** @returns the output of the command. @default - the response as the service sends it */
  decode?(response: Record<string, unknown>): Output;
  /** @returns the origin of the service for this input. @default - that of the configuration */
  origin?(input: Input): string;
}

/** The name of a value, or of a set of values, of bytes. */
const BYTES = /"BS?"\s*:/;

/** JSON contains bytes in base64. */
function bytesAsText(this: Record<string, unknown>, name: string, value: unknown): unknown {
  // `Buffer` has its own representation in JSON, so `value` is no longer bytes.
  const original = this[name];
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

function textAsBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  if (name === 'BS' && Array.isArray(value)) return value.map((one: string) => Buffer.from(one, 'base64'));
  return value;
}

async function contentOf({ body }: HttpResponse): Promise<Record<string, unknown>> {
  const content = await textOf(body as Readable);
  // A reviver is called for each value of the response, and few items contain bytes.
  return JSON.parse(content || '{}', BYTES.test(content) ? textAsBytes : undefined) as Record<string, unknown>;
}

/** The name can follow the namespace of the service: `com.amazonaws.dynamodb.v20120810#ResourceNotFoundException`. */
const nameIn = (type: unknown) => (typeof type === 'string' ? type.split('#').at(-1) : undefined);

/** Returns the class of an operation's commands. */
export const jsonCommandOf = <Input extends object, Output extends object>(
  { target, contentType }: JsonProtocol,
  { name, encode = (input) => input, decode = (response) => response as Output, origin }: JsonCodec<Input, Output>,
) =>
  commandOf<Input, Output>({
    name,
    request: (input) => ({
      method: 'POST',
      ...(origin && { origin: origin(input) }),
      headers: { 'content-type': contentType, 'x-amz-target': `${target}.${name}` },
      body: JSON.stringify(encode(input), bytesAsText),
    }),
    output: async (response) => decode(await contentOf(response)),
    async error(response) {
      const {
        __type: type,
        message,
        Message = message,
        ...fields
      } = await contentOf(response).catch((): Record<string, unknown> => ({}));
      return { name: nameIn(type), message: Message as string | undefined, fields };
    },
  });
