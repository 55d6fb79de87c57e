/**
 * Reads a field of a `multipart/form-data` body in place, because a form with a file can have millions of bytes.
 */
import { MIMEType } from 'node:util';
import { InvalidRequest } from '../errors.ts';

const LINE_END = '\r\n';
/** Separator between the headers of a part and its content. */
const HEADERS_END = '\r\n\r\n';
/** Maximum bytes of the headers of a part. */
const HEADERS_LIMIT = 16_384;
/** Suffix of the last delimiter. */
const FINAL = '--';
const DISPOSITION = /^content-disposition:[ \t]*form-data(?<parameters>.*)$/im;
const PARAMETER = /;[ \t]*(?<name>[\w*-]+)=(?:"(?<quoted>[^"]*)"|(?<plain>[^;\s]*))/g;

const invalid = (cause?: unknown) =>
  new InvalidRequest(
    'The body is not valid `multipart/form-data`: its parts must be separated by the `boundary` of `Content-Type`.',
    { cause },
  );

function boundaryOf(contentType: string): string {
  try {
    const boundary = new MIMEType(contentType).params.get('boundary');
    if (boundary) return boundary;
  } catch (cause) {
    throw invalid(cause);
  }
  throw invalid();
}

interface Part {
  /** The lines between the delimiter and the content. */
  readonly headers: string;
  /** Content of the part, as a view of the body. */
  readonly content: Buffer;
}

function* partsOf(contentType: string, body: Buffer): Generator<Part, void> {
  const delimiter = Buffer.from(`${LINE_END}--${boundaryOf(contentType)}`);
  // The first delimiter does not require a line end before it.
  const opening = delimiter.subarray(LINE_END.length);
  const first = body.subarray(0, opening.length).equals(opening) ? -LINE_END.length : body.indexOf(delimiter);
  if (first === -1) throw invalid();
  let start = first + delimiter.length;
  while (body.toString('latin1', start, start + FINAL.length) !== FINAL) {
    const headersSize = body.subarray(start, start + HEADERS_LIMIT).indexOf(HEADERS_END);
    const contentStart = start + headersSize + HEADERS_END.length;
    const end = headersSize < 0 ? -1 : body.indexOf(delimiter, contentStart - LINE_END.length);
    if (end < 0) throw invalid();
    yield { headers: body.toString('latin1', start, start + headersSize), content: body.subarray(contentStart, end) };
    start = end + delimiter.length;
  }
}

/**
 * Returns the content of the last part with this name.
 * @param contentType value of the header, which contains the boundary of the parts
 * @returns undefined if there is no such part, or if it is a file
 * @throws InvalidRequest if the body is not a form
 */
export function lastField(contentType: string, body: Buffer, name: string): string | undefined {
  let found: string | undefined;
  for (const { headers, content } of partsOf(contentType, body)) {
    const disposition = DISPOSITION.exec(headers)?.groups?.parameters;
    if (disposition === undefined) throw invalid();
    const parameters = new Map(
      [...disposition.matchAll(PARAMETER)].map(({ groups = {} }) => [groups.name, groups.quoted ?? groups.plain]),
    );
    if (parameters.get('name') !== name) continue;
    found = parameters.has('filename') || parameters.has('filename*') ? undefined : content.toString('utf8');
  }
  return found;
}
