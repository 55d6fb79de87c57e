/** Maximum length of a value in a message. */
const SHOWN_CHARACTERS = 80;

/**
 * Returns a text, or its beginning if it is longer than `SHOWN_CHARACTERS`. Half of a surrogate pair at the cut is
 * replaced, because strict JSON parsers refuse it.
 */
export const shortened = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : text;
