/** Deletes a file with OpenAI's JavaScript SDK, and prints the result or the class of the error as JSON. */
import OpenAI from 'openai';

try {
  console.log(JSON.stringify({ deleted: (await new OpenAI({ maxRetries: 0 }).files.delete('file-1')).deleted }));
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.log(JSON.stringify({ error: error.constructor.name, code: error.code }));
}
