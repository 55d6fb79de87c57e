/** Finds the files in a JSON text: strings with a base64-encoded image, sound or video. */
import { scan } from '../json/scan.ts';
import { branchOf, pathText, revealed } from '../json/tree.ts';
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

/** @throws JsonSyntaxError */
export async function findMedia(text: string): Promise<readonly FoundMedia[]> {
  const found: Omit<FoundMedia, 'path'>[] = [];
  const onLongString = (start: number, end: number) => {
    const type = found.length < MAX_MEDIA ? typeAt(text, start, end) : undefined;
    if (type) found.push({ type, start, end });
  };
  let tree = branchOf(scan(text, 0, { whole: true, onLongString }));
  const media: FoundMedia[] = [];
  for (const file of found) {
    const place = await revealed(text, tree, file.start, async (start) => scan(text, start));
    tree = place.tree;
    media.push({ ...file, path: pathText(text, tree, place.path) });
  }
  return media;
}
