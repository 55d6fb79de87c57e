/** Starts the worker that reads large texts. */
import type { Answer, Port } from './queue.ts';
import address from './worker.ts?worker&url';

/** Name of the worker, and of the Trusted Types policy that permits it and no other script. */
const NAME = 'reading';

interface Policy {
  createScriptURL(url: string): string;
}

// Browsers without Trusted Types have no such object.
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };

/** The policy; undefined until it is needed, because a page can create it only once. */
let policy: Policy | undefined;

function permittedAddress(): string {
  policy ??= trustedTypes?.createPolicy(NAME, { createScriptURL: () => address });
  return policy?.createScriptURL(address) ?? address;
}

export function openWorker(onAnswer: (answer: Answer) => void, onFailure: (reason?: string) => void): Port {
  const worker = new Worker(permittedAddress(), { type: 'module', name: NAME });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => onAnswer(data);
  worker.onerror = ({ message }) => onFailure(message);
  worker.onmessageerror = () => onFailure();
  return { post: (ask) => worker.postMessage(ask), stop: () => worker.terminate() };
}
