/** Errors in the format of AWS, so that the SDK recognizes them by name. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

export class AwsFault extends Error {
  readonly status: number;

  /** @param name error name, such as `AccessDeniedException` */
  constructor(status: number, name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.name = name;
  }
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? character);

const xml = ({ name, message }: AwsFault, id: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${escaped(name)}</Code>` +
  `<Message>${escaped(message)}</Message><RequestId>${id}</RequestId></Error>`;

/**
 * Sends an error.
 * @param isJson whether the service uses JSON; S3 uses XML
 * @returns number of bytes in the body
 */
export function sendFault(response: ServerResponse, fault: AwsFault, isJson: boolean): number {
  const id = randomUUID();
  const body = isJson ? JSON.stringify({ __type: fault.name, message: fault.message }) : xml(fault, id);
  const headers = isJson
    ? {
        'Content-Type': 'application/x-amz-json-1.0',
        'x-amzn-requestid': id,
        'x-amzn-errortype': fault.name,
        // The SDK reads the names of SQS errors from this header.
        'x-amzn-query-error': `${fault.name};${fault.status < 500 ? 'Sender' : 'Receiver'}`,
      }
    : { 'Content-Type': 'application/xml', 'x-amz-request-id': id };
  response.writeHead(fault.status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  return Buffer.byteLength(body);
}
