/** Detects base64-encoded images, sounds and videos in a worker's output by their first bytes. */
import { stringIn } from '../json/display.ts';
import type { Part } from '../json/scan.ts';

/** File types that the console shows. SVG and HTML are excluded because they can contain scripts. */
export type MediaType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  | 'audio/wav'
  | 'audio/mpeg'
  | 'video/mp4';

interface Signature {
  readonly type: MediaType;
  /** Offsets in the file and the bytes at these offsets. */
  readonly marks: readonly (readonly [number, string])[];
}

const signatures: readonly Signature[] = [
  { type: 'image/png', marks: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'image/jpeg', marks: [[0, '\xff\xd8\xff']] },
  {
    type: 'image/webp',
    marks: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { type: 'image/gif', marks: [[0, 'GIF87a']] },
  { type: 'image/gif', marks: [[0, 'GIF89a']] },
  {
    type: 'audio/wav',
    marks: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  },
  { type: 'audio/mpeg', marks: [[0, 'ID3']] },
  // Frames of MPEG-1 and MPEG-2, layer 3, with and without a checksum.
  ...['\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2'].map(
    (mark): Signature => ({ type: 'audio/mpeg', marks: [[0, mark]] }),
  ),
  { type: 'video/mp4', marks: [[4, 'ftyp']] },
];

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Returns the base64 of a data URL, or the text itself if it is not a data URL. */
function base64Of(text: string): string {
  const [prefix = ''] = DATA_URL.exec(text.slice(0, 200)) ?? [];
  return text.slice(prefix.length);
}

/** Replaces the characters of URL-safe base64, which `atob` does not accept. */
const standard = (base64: string) => base64.replaceAll('-', '+').replaceAll('_', '/');

/**
 * Returns the type of the file in a string; undefined if there is none. The first bytes decide, not the declared
 * type.
 */
export function mediaType(text: string): MediaType | undefined {
  const first = base64Of(text).slice(0, 32);
  if (first.length < 32 || !BASE64.test(first)) return undefined;
  const bytes = atob(standard(first));
  return signatures.find(({ marks }) => marks.every(([at, mark]) => bytes.startsWith(mark, at)))?.type;
}

/**
 * Returns the bytes of the file.
 * @throws DOMException if the text is not base64
 */
export function mediaBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(standard(base64Of(text)));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Returns the file in a string of the text, whose offsets include its quotes; null if the string is not base64. */
export function fileIn(text: string, { start, end, type }: Part & { readonly type: MediaType }): Blob | null {
  try {
    return new Blob([mediaBytes(stringIn(text, { start, end }))], { type });
  } catch {
    // Only the beginning of the text is base64.
    return null;
  }
}

const endings: Readonly<Record<MediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
};

export const endingOf = (type: MediaType): string => endings[type];
