/** Mutants of OpenAI-compatible servers as workers. */
import { type Mutant, mutant } from './mutant.ts';

const CALL = 'test/openai/call.test.ts';
const SERVER = 'test/worker/http-openai.test.ts';
const LLAMA = 'test/acceptance/openai-server.long.ts';

export const openAiServerMutants: readonly Mutant[] = [
  mutant('a job is posted to the fixed path of its server, regardless of its route')
    .replace('worker/http/request.ts', 'call ?? {', '{')
    .killedBy(SERVER, 'posts the raw body to the route'),
  mutant('a call without a body is a POST')
    .replace('core/openai/call.ts', 'if (!json) return {};', 'if (!json) return { body: Buffer.of() };')
    .killedBy(SERVER, 'as a GET'),
  mutant('a form reaches the server decoded as UTF-8')
    .replace(
      'core/openai/call.ts',
      "return Buffer.from(text, 'base64');",
      "return Buffer.from(Buffer.from(text, 'base64').toString());",
    )
    .killedBy(SERVER, 'a form with a file'),
  mutant('a route can lead to any path of the server')
    .replace('core/openai/call.ts', '/^\\/v1\\/[\\w', '/^\\/[\\w')
    .killedBy(CALL, 'not below /v1/'),
  mutant('a route leaves /v1/ by `..`')
    .remove('core/openai/call.ts', '!hasDotSegment(route) && ')
    .killedBy(CALL, 'parent'),
  mutant('a route can contain encoded line breaks')
    .replace('core/openai/call.ts', '![...decoded].some(isControl)', 'true')
    .killedBy(CALL, 'escaped line'),
  mutant('characters that are not base64 are dropped')
    .replace(
      'core/openai/call.ts',
      "text.length % 4 === 0 && !NOT_BASE64.test(text.replace(PADDING, ''))",
      'text.length % 4 === 0',
    )
    .killedBy(CALL, 'an invalid character'),
  mutant('the status of an error is lost')
    .replace(
      'worker/http/openai-answer.ts',
      'envelopeOf(job, contentType, body, head)',
      'envelopeOf(job, contentType, body)',
    )
    .killedBy(SERVER, 'stores status'),
  mutant('only the displayed part of an error is stored')
    .replace('worker/http/openai-answer.ts', 'ERROR_BYTES = 64 * 1024', 'ERROR_BYTES = 8 * 1024')
    .killedBy(SERVER, 'up to 64 KB'),
  mutant('a stream is stored as trimmed events')
    .replace('worker/http/openai-answer.ts', 'yield JSON.stringify(piece);', 'yield JSON.stringify(piece.trim());')
    .killedBy(SERVER, 'stored as unchanged text'),
  mutant('a stream loses its byte order mark')
    .replace('worker/http/openai-answer.ts', 'textOf(response, true)', 'textOf(response)')
    .killedBy(SERVER, 'stored as unchanged text'),
  mutant('a stream continues after its last event')
    .remove('worker/http/openai-answer.ts', '    if (DONE.test(seen)) return;\n')
    .killedBy(SERVER, 'even if the server does not close the connection'),
  mutant('a last event that arrives in pieces is not noticed')
    .replace('worker/http/openai-answer.ts', 'seen = seen.slice(-DONE_CHARACTERS) + piece;', 'seen = `\\n${piece}`;')
    .killedBy(SERVER, 'even if the server does not close the connection'),
  mutant('bytes that are not JSON are stored as a string')
    .replace(
      'worker/http/openai-answer.ts',
      ': envelopeOf(job, contentType, bytes)}]`',
      ': JSON.stringify(bytes.toString())}]`',
    )
    .killedBy(SERVER, 'stores the bytes and the type of a response'),
  mutant('llama.cpp gets every job at one path')
    .replace('worker/http/request.ts', 'call ?? {', '{')
    .killedBy(LLAMA, 'llama.cpp as a worker'),
  mutant('llama.cpp continues to compute when its job is cancelled')
    .replace('worker/http/slots.ts', 'running.get(id)?.abort()', 'running.get(id)')
    .killedBy(LLAMA, 'stops computing'),
];
