/** Makes the calls of OpenAI clients, over `npm start`. */
import { jobIn } from '../../../test/acceptance/local-service.ts';
import { SECOND } from './assemblies.ts';
import type { Stage } from './stage.ts';

/** Sizes that fit into the job, into the payloads table, and into neither. */
const SIZES = [10, 1_000, 10_000] as const;

const PATH = 'v1/chat/completions';

/**
 * Requests a response, and a stream with one chunk, of each payload size. One client disconnects while its job
 * runs.
 */
export async function openAiCalls({ service }: Stage): Promise<void> {
  const send = (body: object, signal?: AbortSignal) =>
    fetch(`${service.JobApiUrl}/${SECOND}/openai/${PATH}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.ApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  const called = async (body: object, output: string) => {
    const response = await send(body);
    const text = await response.text();
    if (response.status !== 200 || !text.includes(output))
      throw new Error(`An OpenAI call was answered with ${response.status}: ${text.slice(0, 500)}`);
  };
  const left = async () => {
    const client = new AbortController();
    const { headers } = await send({ stream: true, op: 'stream', chunks: 600, size: 10, ms: 1_000 }, client.signal);
    client.abort();
    await jobIn(service, headers.get('X-Job-Id'), 'CANCELLED', undefined, SECOND);
  };
  await Promise.all([
    ...SIZES.flatMap((size) => {
      const text = 'x'.repeat(size);
      return [
        called({ text }, `"openai_input":{"text":"${text}"}`),
        called({ stream: true, op: 'stream', chunks: 1, size: size + 2 }, text),
      ];
    }),
    left(),
  ]);
}
