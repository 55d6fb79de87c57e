/** The responses of CloudFront itself, when a request reaches no origin or the origin does not respond. */
import { STATUS_CODES } from 'node:http';
import type { Answer } from '../network/address.ts';

interface EdgeErrorOptions extends ErrorOptions {
  readonly status: number;
  /** @default Error */
  readonly result?: string;
}

export class EdgeError extends Error {
  override readonly name = 'EdgeError';
  readonly status: number;
  /** The kind of error in the header `X-Cache`. */
  readonly result: string;

  constructor(message: string, { status, result = 'Error', ...options }: EdgeErrorOptions) {
    super(message, options);
    this.status = status;
    this.result = result;
  }
}

/** Creates the error for a function's result that CloudFront does not accept. */
export const invalidResult = (message: string, options?: ErrorOptions): EdgeError =>
  new EdgeError(message, { status: 502, result: 'FunctionValidationError', ...options });

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Returns CloudFront's page for an error. The page does not contain the client's path or headers. */
export const errorAnswer = ({ status, message, result }: EdgeError): Answer => ({
  status,
  headers: [
    ['Server', 'CloudFront'],
    ['Content-Type', 'text/html'],
    ['X-Cache', `${result} from cloudfront`],
  ],
  body: `<!doctype html>
<title>ERROR: The request could not be satisfied</title>
<h1>${status} ${STATUS_CODES[status]}</h1>
<p>${escaped(message)}</p>
`,
});
