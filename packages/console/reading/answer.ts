/** Answers one request in the worker. */
import { JsonSyntaxError } from '../json/syntax-error.ts';
import type { Answer, Ask } from './queue.ts';
import { call, type requests } from './requests.ts';

/** Finds the buffers in a result, which the worker hands over without a copy. */
function* buffersIn(value: unknown): Generator<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) yield value.buffer as ArrayBuffer;
  else if (value instanceof Map) for (const inner of value.values()) yield* buffersIn(inner);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const inner of Object.values(value)) yield* buffersIn(inner);
}

/** @param reply sends the answer to the page */
export function createAnswerer(reply: (answer: Answer, transfer: ArrayBuffer[]) => void): (ask: Ask) => Promise<void> {
  let held: unknown;
  return async ({ name, argument, text = held }) => {
    held = text;
    try {
      const result = await call(name as keyof typeof requests, text, argument);
      reply({ result }, [...new Set(buffersIn(result))]);
    } catch (error) {
      const at = error instanceof JsonSyntaxError ? error.at : undefined;
      reply({ failed: error instanceof Error ? error.message : String(error), at }, []);
    }
  };
}
