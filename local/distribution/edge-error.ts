/** What CloudFront answers itself when a request reaches no origin, or the origin does not answer. */
import { STATUS_CODES } from 'node:http';
import type { Answer } from '../network/address.ts';

export class EdgeError extends Error {
  readonly status: number;
  /** Which kind of error it is, for the header `X-Cache`. */
  readonly result: string;

  constructor(status: number, message: string, result = 'Error') {
    super(message);
    this.status = status;
    this.result = result;
  }
}

/** A function gave what CloudFront does not accept. */
export const invalidResult = (message: string): EdgeError => new EdgeError(502, message, 'FunctionValidationError');

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page, as CloudFront answers: the client's path and headers have no part in it. */
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
