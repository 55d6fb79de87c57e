/** Talks to a language model over the OpenAI interface of its endpoint. */
import type { Endpoint } from '../api/management-types.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What the user types. */
export interface Typed {
  /** If empty, the first model that the endpoint serves. */
  readonly model: string;
  readonly system: string;
  readonly message: string;
}

/** Servers of language models, as their images are named. */
const SERVERS = /vllm|sglang|llama[.-]?cpp|text-generation|ollama|lmdeploy|trt-?llm|tensorrt-?llm/i;

/**
 * Returns whether the playground of the endpoint begins with a chat. The service passes the OpenAI interface to every
 * worker, so only the image and the examples tell.
 */
export const isLanguageModel = ({ image = '', examples = [] }: Pick<Endpoint, 'image' | 'examples'>): boolean =>
  SERVERS.test(image) || examples.some(({ input }) => Array.isArray(input.messages));

/** Returns the messages of a request: the instructions, what was said, and what is typed. */
export function messagesOf({ system, message }: Typed, said: readonly Message[]): readonly Message[] {
  const typed: readonly Message[] = [
    { role: 'system', content: system.trim() },
    ...said,
    { role: 'user', content: message.trim() },
  ];
  return typed.filter(({ content }) => content !== '');
}

/** Returns the body of a chat. */
export const chatBody = (model: string, messages: readonly Message[], stream?: true): string =>
  JSON.stringify({ model, messages, ...(stream && { stream }) }, null, 2);

/** A choice of a whole answer, or of a piece of a streamed one. */
interface Choice {
  readonly message?: { readonly content?: string | null };
  readonly delta?: { readonly content?: string | null };
}

/** @throws Error if the worker reports an error */
function contentOf(json: string): string {
  const { choices, error } = JSON.parse(json) as {
    readonly choices?: readonly Choice[];
    readonly error?: { readonly message?: string } | string;
  };
  if (error !== undefined) throw new Error(typeof error === 'string' ? error : error.message);
  const [choice] = choices ?? [];
  return (choice?.delta ?? choice?.message)?.content ?? '';
}

/** Characters of an event. Each part of a longer one would be searched again for its end. */
const MAX_EVENT = 1_000_000;

const EVENT = /^data:\s?(.*)$/;

/**
 * Yields the pieces of an answer as they arrive.
 * @throws Error if the worker reports an error
 */
export async function* answerIn(response: Pick<Response, 'headers' | 'body' | 'text'>): AsyncGenerator<string> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) return yield contentOf(await response.text());
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_EVENT) throw new Error('The worker sends an event of more than 1 MB.');
    for (const line of lines) {
      const [, data] = EVENT.exec(line) ?? [];
      if (data === '[DONE]') return;
      if (data) yield contentOf(data);
    }
  }
}
