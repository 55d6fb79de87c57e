/**
 * Reads a field of a `multipart/form-data` body in place, because a form with a file can have millions of bytes.
 *
 * The parsers in Node.js and in libraries copy each part into a file or a stream. None of them pauses by itself,
 * limits the boundary, or can be called with the whole form without that work.
 */
import { MIMEType } from 'node:util';
import { SLICE, type Slices } from '../json/slices.ts';
import { InvalidRequest } from '../requests/errors.ts';

const LINE_END = '\r\n';
/** Separator between the headers of a part and its content. */
const HEADERS_END = '\r\n\r\n';
/** Suffix of the last delimiter. */
const FINAL = '--';

export const formLimits = {
  /** Maximum characters of a boundary (RFC 2046). */
  boundary: 70,
  parts: 1_000,
  /** Maximum bytes of the headers of a part, with the line ends around them. */
  headers: 16_384,
  /** Maximum parameters of the `Content-Disposition` of a part. */
  parameters: 32,
} as const;

const BOUNDARY = /^[\w'()+,./:=? -]*[\w'()+,./:=?-]$/;
const DISPOSITION = /^content-disposition:[ \t]*form-data(?<parameters>.*)$/im;
const PARAMETER = /;[ \t]*(?<name>[\w*-]+)=(?:"(?<quoted>[^"]*)"|(?<plain>[^;\s]*))/g;

const invalid = (detail: string, cause?: unknown) =>
  new InvalidRequest(`The body is not valid \`multipart/form-data\`: ${detail}`, { cause });

const notSeparated = (cause?: unknown) =>
  invalid('its parts must be separated by the `boundary` of `Content-Type`.', cause);

function boundaryIn(contentType: string): string | null {
  try {
    return new MIMEType(contentType).params.get('boundary');
  } catch (cause) {
    throw notSeparated(cause);
  }
}

/**
 * Returns the boundary of a form.
 * @throws InvalidRequest if it is missing, too long, or has a character that RFC 2046 does not allow
 */
export function boundaryOf(contentType: string): string {
  const boundary = boundaryIn(contentType);
  if (!boundary) throw notSeparated();
  const { length } = boundary;
  if (length > formLimits.boundary)
    throw invalid(`its \`boundary\` has ${length} characters; at most ${formLimits.boundary} are allowed.`);
  if (!BOUNDARY.test(boundary))
    throw invalid(
      "its `boundary` may contain only letters, digits, spaces before other characters, and `'()+_,-./:=?`.",
    );
  return boundary;
}

/** Returns the position of the first match from `start`, or -1. Pauses after each slice of the body. */
function* find(body: Buffer, wanted: Buffer, start: number): Slices<number> {
  // Slices overlap, so that a match at the end of a slice is found.
  const overlap = wanted.length - 1;
  for (let from = start; from < body.length; from += SLICE) {
    if (from > start) yield;
    const at = body.subarray(from, from + SLICE + overlap).indexOf(wanted);
    if (at >= 0) return from + at;
  }
  return -1;
}

interface Part {
  /** The lines between the delimiter and the content. */
  readonly headers: string;
  /** Content of the part, as a view of the body. */
  readonly content: Buffer;
}

/** Calls `onPart` with each part of the form. */
function* readParts(body: Buffer, boundary: string, onPart: (part: Part) => void): Slices<void> {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`);
  // The first delimiter does not require a line end before it.
  const opening = delimiter.subarray(LINE_END.length);
  const isFirst = body.subarray(0, opening.length).equals(opening);
  const first = isFirst ? -LINE_END.length : yield* find(body, delimiter, 0);
  if (first === -1) throw notSeparated();
  let start = first + delimiter.length;
  let pauseAt = SLICE;
  for (let parts = 1; body.toString('latin1', start, start + FINAL.length) !== FINAL; parts += 1) {
    if (parts > formLimits.parts)
      throw invalid(`it has more than ${formLimits.parts} parts; at most ${formLimits.parts} are allowed.`);
    const headersSize = body.subarray(start, start + formLimits.headers).indexOf(HEADERS_END);
    if (headersSize < 0 && body.length - start >= formLimits.headers)
      throw invalid(
        `a part has more than ${formLimits.headers} bytes of headers; at most ${formLimits.headers} are allowed.`,
      );
    const contentStart = start + headersSize + HEADERS_END.length;
    const end = headersSize < 0 ? -1 : yield* find(body, delimiter, contentStart - LINE_END.length);
    if (end < 0) throw notSeparated();
    onPart({ headers: body.toString('latin1', start, start + headersSize), content: body.subarray(contentStart, end) });
    start = end + delimiter.length;
    if (start < pauseAt) continue;
    yield;
    pauseAt = start + SLICE;
  }
}

/** Returns the parameters of the `Content-Disposition` of a part. */
function parametersOf(headers: string): ReadonlyMap<string | undefined, string | undefined> {
  const disposition = DISPOSITION.exec(headers)?.groups?.parameters;
  if (disposition === undefined) throw notSeparated();
  const parameters = new Map<string | undefined, string | undefined>();
  let count = 0;
  for (const { groups = {} } of disposition.matchAll(PARAMETER)) {
    count += 1;
    if (count > formLimits.parameters)
      throw invalid(
        `a part has more than ${formLimits.parameters} parameters; at most ${formLimits.parameters} are allowed.`,
      );
    parameters.set(groups.name, groups.quoted ?? groups.plain);
  }
  return parameters;
}

/** Name and value of the field with which a client requests a stream. */
const STREAM = Buffer.from('stream');
const TRUE = Buffer.from('true');

/**
 * Returns whether the last field `stream` of a form is `true`. A form without the word `stream` is not parsed, because
 * the worker's server might accept forms that are invalid here.
 * @throws InvalidRequest if the body is not a form
 */
export function* formWantsStream(boundary: string, body: Buffer): Slices<boolean> {
  if ((yield* find(body, STREAM, 0)) < 0) return false;
  let isStream = false;
  yield* readParts(body, boundary, ({ headers, content }) => {
    const parameters = parametersOf(headers);
    if (parameters.get('name') !== 'stream') return;
    const isFile = parameters.has('filename') || parameters.has('filename*');
    isStream = !isFile && content.equals(TRUE);
  });
  return isStream;
}
