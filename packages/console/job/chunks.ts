/**
 * Reads responses of `/stream`, and joins streamed tokens. The page keeps the chunks as one JSON text, without the
 * brackets of the array, and adds those of each response.
 */
import { FURTHER, linesOf, MAX_LINES, preview, stringOf } from '../json/display.ts';
import { childrenOf, elementsOf, kindAt, membersOf, type Part, scan, valuesIn } from '../json/scan.ts';

/** The chunks of a response, as a part of its text. */
export interface Chunks extends Part {
  readonly count: number;
  /** The error of the service; undefined if the response has chunks. */
  readonly error?: string;
}

/**
 * @param text array of chunks, or object with this array as `stream`
 * @throws JsonSyntaxError
 */
export function chunksIn(text: string): Chunks {
  let array = childrenOf(text);
  if (kindAt(text, array.start) === 'object') {
    const sent = valuesIn(text, array);
    const [stream, error] = [sent.get('stream'), sent.get('error')];
    if (!stream) {
      const reason = error && stringOf(text.slice(error.start, error.end));
      return { start: 0, end: 0, count: 0, error: reason ?? 'The service failed.' };
    }
    array = scan(text, stream.start);
  }
  const { starts, ends } = array;
  return { start: starts[0] ?? 0, end: ends.at(-1) ?? 0, count: starts.length };
}

interface Chunk {
  /** JSON text of a streamed output, or of a piece of it. */
  readonly output: string;
  /** Number of the piece, from 1, and number of pieces; present if the output was split as text. */
  readonly part?: number;
  readonly parts?: number;
}

function chunkOf(element: string): Chunk {
  const sent = membersOf(element);
  const [output = 'null', part, parts] = ['output', 'part', 'parts'].map((name) => sent?.get(name));
  return { output, ...(part !== undefined && parts !== undefined && { part: Number(part), parts: Number(parts) }) };
}

/** Returns the outputs of chunks, and joins the pieces of outputs that were split as text. */
export function outputsOf(chunks: string): readonly string[] {
  const outputs: string[] = [];
  let joined = '';
  for (const { output, part, parts } of (elementsOf(`[${chunks}]`) ?? []).map(chunkOf)) {
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
export function streamText(outputs: readonly string[]): string | undefined {
  const texts = outputs.map(textOf);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}

/** How a stream is shown. Outputs that are not tokens are always shown as chunks. */
export type StreamAs = 'text' | 'chunks';

export interface StreamLines {
  /** Number of outputs. */
  readonly count: number;
  /** Whether all outputs are tokens. */
  readonly isText: boolean;
  readonly lines: readonly string[];
}

/** Maximum number of characters of a chunk in the list. */
const SHOWN = 1000;

function chunkLines(outputs: readonly string[]): readonly string[] {
  const lines = outputs.slice(0, MAX_LINES).map((output, n) => `${n}  ${preview(output, 0, output.length, SHOWN)}`);
  return outputs.length > MAX_LINES ? [...lines, FURTHER] : lines;
}

/** Returns what the page shows of a stream. */
export function streamLines(chunks: string, as: StreamAs): StreamLines {
  const outputs = outputsOf(chunks);
  const text = streamText(outputs);
  const lines = text !== undefined && as === 'text' ? linesOf(text) : chunkLines(outputs);
  return { count: outputs.length, isText: text !== undefined, lines };
}

/** Returns a stream as a file: the text of its tokens, or all outputs in one JSON array. */
export function streamFile(chunks: string, as: StreamAs): string {
  const outputs = outputsOf(chunks);
  return (as === 'text' ? streamText(outputs) : undefined) ?? `[\n${outputs.join(',\n')}\n]\n`;
}
