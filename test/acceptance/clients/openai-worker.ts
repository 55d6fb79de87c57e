/**
 * A worker with the output of RunPod's worker for vLLM: one response, or the events of a stream as strings. An
 * error has the message that this worker's SDK creates from it.
 */
import { serve } from '../../../worker/sdk/serve.ts';
import { answer } from './openai-answers.mjs';

await serve(
  async function* ({ input, signal }) {
    const { status, json, events } = await answer(String(input.openai_route), input.openai_input, signal);
    if (status !== 200) throw new Error(`vLLM returned HTTP ${status}: ${JSON.stringify(json)}`);
    if (events) yield* events;
    else yield json;
  },
  { aggregateStream: true },
);
