/** Finds the first invalid byte of UTF-8. */
import { isUtf8 } from 'node:buffer';

/** Size of a block in bytes. Whole blocks are checked first, then the characters of an invalid block. */
const BLOCK = 4_096;

const isContinuation = (byte: number | undefined) => byte !== undefined && byte >> 6 === 0b10;

/** Returns the length of a complete character that begins with the byte, in bytes. */
const lengthOf = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1);

/** Returns the position of the first invalid character, or undefined if the bytes are valid UTF-8. */
export function faultOfUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let start = 0;
  for (let end = BLOCK; end < bytes.length; end += BLOCK) {
    let cut = end;
    while (cut > end - 4 && isContinuation(bytes[cut])) cut -= 1;
    if (!isUtf8(bytes.subarray(start, cut))) break;
    start = cut;
  }
  for (let at = start; at < bytes.length; ) {
    const next = at + lengthOf(bytes[at] ?? 0);
    if (!isUtf8(bytes.subarray(at, next)) || next > bytes.length) return at;
    at = next;
  }
  return bytes.length;
}
