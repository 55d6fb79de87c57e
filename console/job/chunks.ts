/** Reads responses of `/stream`, and joins streamed tokens to a text. */
import { ApiError } from '../api/error.ts';
import { stringOf } from '../json/display.ts';
import { elementsOf, membersOf } from '../json/scan.ts';

export interface ChunkText {
  /** JSON text of what the worker streamed, or of a piece of it. */
  readonly output: string;
  /** Of an output that was cut as text: the number of the piece, from 1, and how many there are. */
  readonly part?: number;
  readonly parts?: number;
}

function chunkOf(element: string): ChunkText {
  const members = membersOf(element);
  const [output = 'null', part, parts] = ['output', 'part', 'parts'].map((name) => members?.get(name));
  return { output, ...(part !== undefined && parts !== undefined && { part: Number(part), parts: Number(parts) }) };
}

/** @param text the array of chunks, or the object that has it as `stream` @throws ApiError if it is an error */
export function chunksIn(text: string): readonly ChunkText[] {
  const members = membersOf(text);
  if (members && !members.has('stream'))
    throw new ApiError(stringOf(members.get('error') ?? '') ?? 'The service failed.', { status: 500 });
  return (elementsOf(members?.get('stream') ?? text) ?? []).map(chunkOf);
}

/** The outputs; those that were cut as text are joined. */
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

/** The events of a stream of OpenAI, as a worker sends them: `data: {...}`. Other texts may begin with `data:` too. */
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

/** The text of an output that is a token, in the shapes that servers of language models have; else undefined. */
export function textOf(output: string): string | undefined {
  try {
    return valueText(JSON.parse(output));
  } catch {
    return undefined;
  }
}

/** The tokens one after the other; undefined if outputs have other values. */
export function streamText(outputs: readonly string[]): string | undefined {
  const texts = outputs.map(textOf);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}
