/** Finds the times in a sentence from the service, so that the page can show them in the user's time zone. */

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

export interface Piece {
  readonly text: string;
  readonly isTime: boolean;
}

/** @returns the pieces of the sentence in order; times are ISO 8601 in UTC */
export function piecesOf(sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: time, index } of sentence.matchAll(TIME)) {
    pieces.push({ text: sentence.slice(end, index), isTime: false }, { text: time, isTime: true });
    end = index + time.length;
  }
  return [...pieces, { text: sentence.slice(end), isTime: false }].filter(({ text }) => text !== '');
}
