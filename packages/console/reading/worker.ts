/** Entry of the worker that reads large texts. */
import { createAnswerer } from './answer.ts';
import type { Ask } from './queue.ts';

const answer = createAnswerer((message, transfer) => globalThis.postMessage(message, { transfer }));
globalThis.onmessage = ({ data }: MessageEvent<Ask>) => void answer(data);
