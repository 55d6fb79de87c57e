/** Checks an API key before it is sent, so that the error names where the key comes from, and never shows the key. */
import { isWellFormed } from '../../core/keys/client-keys.ts';

/**
 * Returns the key.
 * @param source variable or profile that has the key, at the start of a sentence
 * @throws Error, which names the source
 */
export function checkedKey(source: string, key: string): string {
  if (key === '') throw new Error(`${source} is empty: it must be an API key, which \`keys create\` prints.`);
  if (!isWellFormed(key))
    throw new Error(
      `${source} must be an API key, gpue_ with 38 letters and digits as \`keys create\` prints it. It is not shown here; it may be mistyped, cut off, or followed by other text.`,
    );
  return key;
}
