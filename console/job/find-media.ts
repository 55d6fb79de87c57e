/** The files in a JSON text: strings that are base64 of a picture, a sound or a film. */
import { readChildren } from '../json/slices.ts';
import { branchOf, pathText, revealed } from '../json/tree.ts';
import { type MediaType, mediaType } from './media.ts';

export interface FoundMedia {
  readonly type: MediaType;
  /** Offsets of the string in the text, quotes included. */
  readonly start: number;
  readonly end: number;
  /** Where it is, such as `images[0]`; empty if it is the whole text. */
  readonly path: string;
}

/** More files of one output are in its JSON alone. */
const MOST_MEDIA = 24;

/** Characters of a string that show what it is; a data URL has some before them. */
const FIRST = 400;

const typeAt = (text: string, start: number, end: number) =>
  mediaType(text.slice(start + 1, Math.min(end - 1, start + FIRST)).replaceAll('\\/', '/'));

/** @throws JsonSyntaxError; the signal's reason */
export async function findMedia(text: string, signal?: AbortSignal): Promise<readonly FoundMedia[]> {
  const found: Omit<FoundMedia, 'path'>[] = [];
  const onLongString = (start: number, end: number) => {
    const type = found.length < MOST_MEDIA ? typeAt(text, start, end) : undefined;
    if (type) found.push({ type, start, end });
  };
  const options = signal ? { signal } : {};
  const children = await readChildren(text, 0, { ...options, whole: true, onLongString });
  let tree = branchOf(children);
  const media: FoundMedia[] = [];
  for (const file of found) {
    const place = await revealed(text, tree, file.start, (start) => readChildren(text, start, options));
    tree = place.tree;
    media.push({ ...file, path: pathText(text, tree, place.path) });
  }
  return media;
}
