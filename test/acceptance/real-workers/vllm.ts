/** Tests worker-vllm with `stand-ins/vllm-server.ts`, whose prompts are commands. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from '@jest/globals';
import { attach } from '../attached.ts';
import { eventually } from '../local-service.ts';
import type { Place } from '../workers/place.ts';
import type { Behaviour } from './cell.ts';
import { commandOf } from './images.ts';
import { isReplacedWithDeadServer, outputOf } from './outcomes.ts';

export const MODEL = 'stand-in/model';
/** Concurrency of the endpoint. The worker asks for 30 concurrent jobs. */
export const CONCURRENCY = 4;

interface LogLine {
  readonly event: 'start' | 'end' | 'broken';
  readonly prompt: string;
  readonly maxOpen: number;
}
interface Answer {
  readonly object: string;
  readonly choices?: readonly { readonly text?: string; readonly message?: { readonly content: string } }[];
}

function linesOf({ log }: Place): LogLine[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as LogLine);
}

const messages = (content: string) => [{ role: 'user', content }];
const chat = (content: string, more: object = {}) => ({
  openai_route: '/v1/chat/completions',
  openai_input: { model: MODEL, messages: messages(content), ...more },
});
const textOf = ([answer]: readonly Answer[]) => answer?.choices?.[0]?.message?.content ?? answer?.choices?.[0]?.text;

export const vllm: readonly Behaviour[] = [
  {
    name: 'answers a chat completion with a list of one answer',
    result: 'yes',
    async check(place) {
      const output = await outputOf<Answer[]>(place, chat('hello'));
      expect(output).toHaveLength(1);
      expect([output[0]?.object, textOf(output)]).toEqual(['chat.completion', 'echo hello']);
    },
  },
  {
    name: 'takes `prompt`, `messages`, `route` with `body`, or only `openai_route`',
    result: 'yes',
    async check(place) {
      expect(textOf(await outputOf(place, { prompt: 'one' }))).toBe('echo one');
      expect(textOf(await outputOf(place, { messages: messages('two') }))).toBe('echo two');
      const body = { model: MODEL, prompt: 'three' };
      expect(textOf(await outputOf(place, { route: '/v1/completions', body }))).toBe('echo three');
      expect(await outputOf(place, { openai_route: '/v1/models' })).toMatchObject([{ data: [{ id: MODEL }] }]);
    },
  },
  {
    name: 'fails a job for which vLLM answers 404, and its error has the status',
    result: 'yes',
    async check(place) {
      const record = await place.outcome(chat('hello', { model: 'unknown' }));
      const error = expect.stringMatching(/vLLM returned HTTP 404: .*The model `unknown` does not exist/);
      expect(record).toMatchObject({ status: 'FAILED', attempts: 1, error });
    },
  },
  {
    name: "streams the server's own text, including `[DONE]`",
    result: 'yes',
    async check(place) {
      const id = await place.submit(chat('words 50', { stream: true }));
      expect(await place.ended(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
      const text = (await place.chunks(id)).join('');
      const words = [...text.matchAll(/word-(\d+)/g)].map(([, n]) => Number(n));
      expect(words).toEqual(Array.from({ length: 50 }, (_, n) => n));
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    },
  },
  {
    name: 'runs as many jobs at the same time as the endpoint allows, though it asks for 30',
    result: 'yes',
    async check(place) {
      // These jobs meet in the server. Then more jobs are submitted than may run at the same time.
      await Promise.all(Array.from({ length: CONCURRENCY }, () => outputOf(place, chat(`meet ${CONCURRENCY}`))));
      await Promise.all(Array.from({ length: 3 * CONCURRENCY }, () => outputOf(place, chat('words 20'))));
      expect(Math.max(...linesOf(place).map(({ maxOpen }) => maxOpen))).toBe(CONCURRENCY);
    },
  },
  {
    name: 'ends the request of a cancelled stream',
    result: 'yes; in rare cases only after later jobs arrive',
    async check(place) {
      const id = await place.submit(chat('words 9000', { stream: true }));
      await eventually('the stream has begun', async () => (await place.chunks(id))[0]);
      await place.cancel(id);
      expect(await place.ended(id)).toMatchObject({ status: 'CANCELLED' });
      // A generator that is cancelled while the SDK sends its chunk hangs until Python's garbage collection.
      await eventually('the server sees that the connection is closed', async () => {
        await outputOf(place, chat('words 20', { stream: true }));
        return linesOf(place).find(({ event, prompt }) => event === 'broken' && prompt === 'words 9000');
      });
    },
  },
  {
    name: 'is replaced when its server has died',
    result: 'yes, after three failures in a row',
    check: (place) => isReplacedWithDeadServer(place, chat('exit'), chat('hello')),
  },
];

/**
 * Behaviours of a worker that `npx gpu-endpoints worker` starts. Ctrl-C then sends SIGTERM, as ECS does when it stops a
 * task.
 */
export const attachedVllm: readonly Behaviour[] = [
  {
    name: 'finishes its jobs after SIGTERM',
    result: 'yes',
    async check(place) {
      const stateDir = dirname(place.log);
      const attached = attach(stateDir, ['--endpoint', place.endpoint, '--', ...commandOf(stateDir, place.endpoint)]);
      try {
        const worker = await attached.worker();
        const ids = await Promise.all([1, 2].map(() => place.submit(chat('words 300', { stream: true }))));
        for (const id of ids) await eventually('the stream has begun', async () => (await place.chunks(id))[0]);
        await attached.interrupt();
        const records = await Promise.all(ids.map((id) => place.ended(id)));
        const asStarted = { status: 'COMPLETED', attempts: 1, workerId: worker };
        expect(records).toEqual(ids.map(() => expect.objectContaining(asStarted)));
        expect(await attached.ended).toBe(0);
      } finally {
        attached.kill();
      }
    },
  },
];
