/** Creates the report of a job from the response of the user's HTTP server. */
import type { IncomingMessage } from 'node:http';
import type { Report } from '../../core/workers/report.ts';
import { beginningOf, bodyOf, decoded, stored, textOf } from './body.ts';
import { eventData, jsonFrom, jsonLines } from './chunks.ts';
import { UnusableAnswer } from './request.ts';

/** Maximum number of bytes of an error response that become the error of the job. */
const SHOWN_BYTES = 8 * 1024;

/** Matches `text/plain; charset=x` and similar types. */
const MEDIA_TYPE = /^\s*(?<type>[^;\s]*)\s*(?:;.*?charset="?(?<charset>[^";\s]+))?/i;

interface Kind {
  /** Media type in lower case; empty if the response has none. */
  readonly type: string;
  readonly charset: string;
  readonly isJson: boolean;
}

export function kindOf({ headers }: IncomingMessage): Kind {
  const { type = '', charset = 'utf-8' } = MEDIA_TYPE.exec(headers['content-type']?.toLowerCase() ?? '')?.groups ?? {};
  return { type, charset, isJson: type === 'application/json' || type.endsWith('+json') };
}

export const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode <= 299;

/**
 * Returns the error of a job whose response has an error status.
 * @param body the beginning of the body of an error response
 */
export function errorOf({ statusCode, statusMessage }: IncomingMessage, body: Buffer): string {
  const status = [statusCode, statusMessage].filter(Boolean).join(' ');
  const said = body.subarray(0, SHOWN_BYTES).toString().trim();
  return `The server answered ${status}${said && `: ${said}`}`;
}

/**
 * Reads the response, and returns the report of its job.
 * @param store stores a chunk, which is a JSON string
 * @throws UnusableAnswer, and the error that interrupts the response
 */
export async function reportFrom(response: IncomingMessage, store: (chunk: string) => Promise<void>): Promise<Report> {
  if (!isSuccess(response)) return { error: errorOf(response, await beginningOf(response, SHOWN_BYTES)) };

  const { type, charset, isJson } = kindOf(response);
  if (type === 'application/x-ndjson' || type === 'application/jsonl')
    return stored(jsonLines(textOf(response)), store);
  if (type === 'text/event-stream') return stored(eventData(textOf(response)), store);

  if (!isJson && !type.startsWith('text/')) {
    if ((await beginningOf(response, SHOWN_BYTES)).toString().trim() === '') return {};
    const must = 'an output must be JSON, text, lines of JSON or server-sent events';
    throw new UnusableAnswer(`answered with ${type || 'no content type'}: ${must}`);
  }
  const { size, bytes } = await bodyOf(response);
  if (size === 0 || !bytes) return size === 0 ? {} : { size };
  return { output: isJson ? await jsonFrom(decoded(bytes), 'an answer') : JSON.stringify(decoded(bytes, charset)) };
}
