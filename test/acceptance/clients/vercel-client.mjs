/**
 * Calls an endpoint with Vercel's AI SDK, and prints a JSON object with the results. The SDK would send a request up to
 * three times. The server writes a line to FAILURES for each request that it fails.
 */
import { readFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText } from 'ai';

const { FAILURES, OPENAI_API_KEY, OPENAI_BASE_URL } = process.env;
const provider = createOpenAICompatible({ name: 'endpoint', baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });

async function failure() {
  const model = provider('qwen');
  const providerOptions = { openaiCompatible: { user: FAILURES } };
  try {
    return await generateText({ model, prompt: 'fail', maxRetries: 2, providerOptions });
  } catch (error) {
    if (!APICallError.isInstance(error)) throw error;
    return [error.message, readFileSync(FAILURES, 'utf8').trim().split('\n').length];
  }
}

const { text } = await generateText({ model: provider('qwen'), prompt: 'hello' });
console.log(JSON.stringify({ text, failure: await failure() }));
