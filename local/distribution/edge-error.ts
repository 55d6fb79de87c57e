/** The responses of CloudFront itself, when a request reaches no origin or the origin does not respond. */
import { STATUS_CODES } from 'node:http';
import type { Answer } from '../network/address.ts';

export class EdgeError extends Error {
  readonly status: number;
  /** The kind of error in the header `X-Cache`. */
  readonly result: string;

  constructor(status: number, message: string, result = 'Error') {
    super(message);
    this.status = status;
    this.result = result;
  }
}

/** Creates the error for a function's result that CloudFront does not accept. */
export const invalidResult = (message: string): EdgeError => new EdgeError(502, message, 'FunctionValidationError');

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
