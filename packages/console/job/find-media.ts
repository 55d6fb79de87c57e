/** Finds the files in a JSON text: strings with a base64-encoded image, sound or video. */
import { type Children, scan, stringEnd } from '../json/scan.ts';
import { type MediaType, mediaType } from './media.ts';

export interface FoundMedia {
  readonly type: MediaType;
  /** Offsets of the string in the text, including its quotes. */
  readonly start: number;
  readonly end: number;
  /** Path of the string, such as `images[0]`; empty if the string is the whole text. */
  readonly path: string;
}

/** Maximum number of files shown per output. Further files are only in the JSON. */
const MAX_MEDIA = 24;

/** Characters of a string that are read to detect the file type, including the beginning of a data URL. */
const FIRST = 400;

const typeAt = (text: string, start: number, end: number) =>
  mediaType(text.slice(start + 1, Math.min(end - 1, start + FIRST)).replaceAll('\\/', '/'));

/** Returns the path of the value at an offset in dot notation, such as `images[0].url`. */
function pathOf(text: string, offset: number, childrenAt: (start: number) => Children): string {
  let path = '';
  let { names, starts } = childrenAt(0);
  for (;;) {
    const child = starts.findLastIndex((start) => start <= offset);
    const [start, name] = [starts[child], names[child]];
    if (start === undefined) return path;
    const source = name === undefined ? undefined : text.slice(name, stringEnd(text, name));
    if (source === undefined) path += `[${child}]`;
    else if (/^"[A-Za-z_$][\w$]{0,99}"$/.test(source)) path += `${path && '.'}${source.slice(1, -1)}`;
    else path += `[${source.slice(0, 100)}]`;
    if (start === offset) return path;
    ({ names, starts } = childrenAt(start));
  }
}

/** @throws JsonSyntaxError */
export function findMedia(text: string): readonly FoundMedia[] {
  const found: Omit<FoundMedia, 'path'>[] = [];
  const onLongString = (start: number, end: number) => {
    const type = found.length < MAX_MEDIA ? typeAt(text, start, end) : undefined;
    if (type) found.push({ type, start, end });
  };
  const known = new Map([[0, scan(text, 0, { whole: true, onLongString })]]);
  function childrenAt(start: number): Children {
    const children = known.get(start) ?? scan(text, start);
    known.set(start, children);
    return children;
  }
  return found.map((file) => ({ ...file, path: pathOf(text, file.start, childrenAt) }));
}
