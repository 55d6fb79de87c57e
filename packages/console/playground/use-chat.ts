/** Holds a chat: what was said, and the answer that arrives. */
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { answerIn, chatBody, type Message, messagesOf, type Typed } from './chat.ts';
import { CHAT } from './snippets.ts';

export interface Chat {
  readonly typed: Typed;
  readonly messages: readonly Message[];
  /** Milliseconds since the epoch at which the message was sent whose answer is awaited. */
  readonly askedAt: number | undefined;
  /** Id of the job that answered last. */
  readonly job: string | undefined;
  readonly error: unknown;
  type(changes: Partial<Typed>): void;
  send(): void;
  stop(): void;
  clear(): void;
}

export function useChat(endpoint: string): Chat {
  const client = useClient();
  const [typed, setTyped] = useState<Typed>({ model: '', system: '', message: '' });
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [state, setState] = useState<Pick<Chat, 'askedAt' | 'job' | 'error'>>({
    askedAt: undefined,
    job: undefined,
    error: undefined,
  });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const base = `/v2/${encodeURIComponent(endpoint)}/`;

  async function firstModel(signal: AbortSignal): Promise<string> {
    const { data } = await client.json<{ data: readonly { id: string }[] }>(`${base}openai/v1/models`, { signal });
    const model = data[0]?.id;
    if (model === undefined) throw new Error('The endpoint serves no model. Type the name of a model.');
    setTyped((before) => ({ ...before, model }));
    return model;
  }

  async function ask(question: readonly Message[], signal: AbortSignal): Promise<void> {
    const text = chatBody(typed.model.trim() || (await firstModel(signal)), question, true);
    const response = await client.send(`${base}${CHAT}`, { method: 'POST', text, signal });
    setState((before) => ({ ...before, job: response.headers.get('x-job-id') ?? undefined }));
    let content = '';
    for await (const piece of answerIn(response)) {
      content += piece;
      const answer: Message = { role: 'assistant', content };
      setMessages((before) => (before.at(-1)?.role === 'assistant' ? before.with(-1, answer) : [...before, answer]));
    }
  }

  async function send(): Promise<void> {
    const question = messagesOf(typed, messages);
    if (running.current || typed.message.trim() === '') return;
    const controller = new AbortController();
    running.current = controller;
    setMessages((before) => [...before, { role: 'user', content: typed.message.trim() }]);
    setTyped((before) => ({ ...before, message: '' }));
    setState((before) => ({ ...before, askedAt: Date.now(), error: undefined }));
    let error: unknown;
    try {
      await ask(question, controller.signal);
    } catch (failure) {
      if (!controller.signal.aborted) error = failure;
    } finally {
      running.current = undefined;
      setState((before) => ({ ...before, askedAt: undefined, error }));
    }
    if (error === undefined) return;
    // The message can be sent again, or changed.
    setMessages(messages);
    setTyped((before) => ({ ...before, message: typed.message }));
  }

  return {
    typed,
    messages,
    ...state,
    type: (changes) => setTyped((before) => ({ ...before, ...changes })),
    send: () => void send(),
    stop: () => running.current?.abort(),
    clear() {
      running.current?.abort();
      setMessages([]);
    },
  };
}
