const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 20;

/**
 * The id of a template that a client makes: 100 random bits, without the `-` of ids that come from declarations.
 * @param random at least as many random bytes as characters
 */
export function templateId(random: Uint8Array): string {
  if (random.length < CHARACTERS) throw new Error('Too few random bytes for a template id.');
  return [...random.slice(0, CHARACTERS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
