/**
 * Writes the request of the playground as code. The code never contains a key: it reads `API_KEY` from the
 * environment.
 */
import { isExact, pythonLiteral, pythonString, quoted, shellQuoted, visibleJson } from '../json/literal.ts';

/** Path of a chat, below the address of its endpoint. */
export const CHAT = 'openai/v1/chat/completions';

export interface SnippetRequest {
  /** Base address of the job interface, such as `https://api.example.com/v2`. */
  readonly base: string;
  readonly endpoint: string;
  /** A chat is sent with the OpenAI client of the language. */
  readonly path: 'run' | 'runsync' | typeof CHAT;
  /** JSON text. */
  readonly body: string;
}

/**
 * Maximum length of a body in code. Longer code is not readable, and a shell limits the length of an argument.
 */
const MAX_LENGTH = 100_000;

const baseOf = ({ base, endpoint }: SnippetRequest) => `${base}/${encodeURIComponent(endpoint)}`;
const urlOf = (request: SnippetRequest) => `${baseOf(request)}/${request.path}`;
const openAiBase = (request: SnippetRequest) => `${baseOf(request)}/openai/v1`;

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function curl(request: SnippetRequest): string {
  const body = visibleJson(request.body);
  const head = `curl --fail-with-body ${shellQuoted(urlOf(request))} \\
  --header "Authorization: Bearer $API_KEY" \\
  --header 'Content-Type: application/json' \\`;
  // With --data, a value that begins with @ would send the content of a file.
  return body.length > MAX_LENGTH
    ? `# Save the request as body.json. It is too long for a shell argument.\n${head}\n  --data-binary @body.json\n`
    : `${head}\n  --data-raw ${shellQuoted(body)}\n`;
}

/** An expression for the JSON. Text that a literal would change is parsed instead. */
const javaScript = (json: string) => (isExact(json) ? visibleJson(json) : `JSON.parse(${quoted(json)})`);
const python = (json: string) => (isExact(json) ? pythonLiteral(json) : `json.loads(${pythonString(json)})`);

function javaScriptCode(request: SnippetRequest): string {
  const { body } = request;
  if (request.path === CHAT)
    return `import OpenAI from 'openai';

const client = new OpenAI({ apiKey: process.env.API_KEY, baseURL: ${quoted(openAiBase(request))} });
const completion = await client.chat.completions.create(${javaScript(body)});
console.log(completion.choices[0].message.content);
`;
  // Text keeps the digits that a number of JavaScript loses.
  const content = isExact(body) ? `JSON.stringify(${indented(visibleJson(body), '  ')})` : quoted(body);
  return `const response = await fetch(${quoted(urlOf(request))}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: ${content},
});
console.log(response.status, await response.json());
`;
}

function pythonCode(request: SnippetRequest): string {
  const { body } = request;
  if (request.path === CHAT)
    return `import json
import os

from openai import OpenAI

client = OpenAI(api_key=os.environ["API_KEY"], base_url=${pythonString(openAiBase(request))})
completion = client.chat.completions.create(**${python(body)})
print(completion.choices[0].message.content)
`;
  const content = isExact(body)
    ? `json=${indented(pythonLiteral(body), '    ')}`
    : `data=${pythonString(body)}.encode()`;
  return `import os

import requests

response = requests.post(
    ${pythonString(urlOf(request))},
    headers={"Authorization": f"Bearer {os.environ['API_KEY']}", "Content-Type": "application/json"},
    ${content},
    timeout=120,
)
print(response.status_code, response.json())
`;
}

export const snippets = {
  curl: { label: 'curl', comment: '#', write: curl },
  python: { label: 'Python', comment: '#', write: pythonCode },
  javascript: { label: 'JavaScript', comment: '//', write: javaScriptCode },
} as const;

export type Snippet = keyof typeof snippets;

export function snippetOf(kind: Snippet, request: SnippetRequest): string {
  const { comment, write } = snippets[kind];
  if (kind === 'curl' || request.body.length <= MAX_LENGTH) return write(request);
  return `${comment} The input is too long to show here. Read it from a file, as in the code for curl.\n`;
}
