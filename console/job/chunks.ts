/** Reads responses of `/stream`, and joins streamed tokens. */
import { ApiError } from '../api/error.ts';
import { stringOf } from '../json/display.ts';
import { kindAt, members, membersOf } from '../json/scan.ts';
import { mapped, readChildren } from '../json/slices.ts';

export interface ChunkText {
  /** JSON text of a streamed output, or of a piece of it. */
  readonly output: string;
  /** Number of the piece, from 1, and number of pieces; present if the output was split as text. */
  readonly part?: number;
  readonly parts?: number;
}

function chunkOf(element: string): ChunkText {
  const sent = membersOf(element);
  const [output = 'null', part, parts] = ['output', 'part', 'parts'].map((name) => sent?.get(name));
  return { output, ...(part !== undefined && parts !== undefined && { part: Number(part), parts: Number(parts) }) };
}

/**
 * @param text array of chunks, or object with this array as `stream`
 * @throws ApiError if the response is an error
 */
export async function chunksIn(text: string): Promise<readonly ChunkText[]> {
  const { start, starts, ends, ...children } = await readChildren(text, 0, { whole: true });
  if (kindAt(text, start) === 'object') {
    const sent = members(text, { start, starts, ends, ...children });
    const stream = sent.get('stream');
    if (stream !== undefined) return chunksIn(stream);
    throw new ApiError(stringOf(sent.get('error') ?? '') ?? 'The service failed.', { status: 500 });
  }
  return mapped(starts.keys(), (n) => chunkOf(text.slice(starts[n], ends[n])));
}

/** Returns the outputs, and joins the pieces of outputs that were split as text. */
export function outputsOf(chunks: readonly ChunkText[]): readonly string[] {
  const outputs: string[] = [];
  let joined = '';
  for (const { output, part, parts } of chunks) {
    if (part === undefined) outputs.push(output);
    else {
      joined = `${part === 1 ? '' : joined}${stringOf(output) ?? ''}`;
      if (part === parts) outputs.push(joined);
    }
  }
  return outputs;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const EVENT = /^data:\s*(\{.*\}|\[DONE\])\s*$/;

/**
 * Returns the text of OpenAI stream events, such as `data: {...}`; undefined for any other text, even if it begins
 * with `data:`.
 */
function eventsText(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const events = lines.map((line) => EVENT.exec(line)?.[1]);
  if (events.length === 0 || events.includes(undefined)) return undefined;
  return events.map((event = '') => textOf(event) ?? '').join('');
}

function choiceText(choice: unknown): string {
  if (!isObject(choice)) return '';
  const { text, tokens, delta } = choice;
  if (typeof text === 'string') return text;
  if (Array.isArray(tokens)) return tokens.filter((token) => typeof token === 'string').join('');
  return isObject(delta) && typeof delta.content === 'string' ? delta.content : '';
}

function valueText(value: unknown): string | undefined {
  if (typeof value === 'string') return eventsText(value) ?? value;
  if (!isObject(value)) return undefined;
  const { choices } = value;
  if (Array.isArray(choices)) return choices.map(choiceText).join('');
  return ['text', 'token', 'content'].map((name) => value[name]).find((text) => typeof text === 'string');
}

/** Returns the text of a token in one of the formats of language model servers; undefined for any other output. */
export function textOf(output: string): string | undefined {
  try {
    return valueText(JSON.parse(output));
  } catch {
    return undefined;
  }
}

/** Joins the tokens of a stream; undefined if there are no outputs or if an output is not a token. */
export const streamText = (outputs: readonly string[]): string | undefined => joinedText(outputs.map(textOf));

/** As `streamText`, with pauses. @throws the signal's reason if it is aborted */
export const largeStreamText = async (outputs: readonly string[], signal?: AbortSignal): Promise<string | undefined> =>
  joinedText(await mapped(outputs, textOf, signal));

function joinedText(texts: readonly (string | undefined)[]): string | undefined {
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}
