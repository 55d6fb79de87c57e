/**
 * Writes the request of the playground as code. The code never contains a key: it reads `API_KEY` from the
 * environment.
 */
import {
  fitsJavaScript,
  fitsPython,
  pythonLiteral,
  pythonString,
  quoted,
  shellQuoted,
  visibleJson,
} from '../json/literal.ts';
import { membersOf } from '../json/scan.ts';
import { bodyOf, type Request } from './request.ts';

export interface SnippetRequest extends Request {
  /** Base address of the job interface, such as `https://api.example.com/v2`. */
  readonly base: string;
  readonly endpoint: string;
  /** Whether the call waits for the result. */
  readonly waits: boolean;
}

export const snippets = {
  curl: { label: 'curl', language: 'curl' },
  fetch: { label: 'JavaScript, fetch', language: 'JavaScript' },
  'runpod-sdk': { label: 'JavaScript, runpod-sdk', language: 'JavaScript' },
  'openai-js': { label: 'JavaScript, openai', language: 'JavaScript' },
  requests: { label: 'Python, requests', language: 'Python' },
  runpod: { label: 'Python, runpod', language: 'Python' },
  'openai-python': { label: 'Python, openai', language: 'Python' },
} as const;

export type Snippet = keyof typeof snippets;

/**
 * Maximum length of an input or body in code. Longer code is not readable, and a shell limits the length of an
 * argument.
 */
const MAX_LENGTH = 100_000;

const urlOf = ({ base, endpoint, waits }: SnippetRequest) =>
  `${base}/${encodeURIComponent(endpoint)}/${waits ? 'runsync' : 'run'}`;

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function curl(request: SnippetRequest): string {
  const body = visibleJson(bodyOf(request));
  const head = `curl --fail-with-body ${shellQuoted(urlOf(request))} \\
  --header "Authorization: Bearer $API_KEY" \\
  --header 'Content-Type: application/json' \\`;
  // With --data, a value that begins with @ would send the content of a file.
  return body.length > MAX_LENGTH
    ? `# Save the request as body.json. It is too long for a shell argument.\n${head}\n  --data-binary @body.json\n`
    : `${head}\n  --data-raw ${shellQuoted(body)}\n`;
}

/** Returns a JavaScript expression for the JSON. JavaScript clients can lose digits of numbers. */
const javaScript = (json: string) => (fitsJavaScript(json) ? visibleJson(json) : `JSON.parse(${quoted(json)})`);

const lossOf = (json: string) =>
  fitsJavaScript(json) ? '' : '// JavaScript numbers can lose digits. Use fetch to send the numbers unchanged.\n';

function fetchCode(request: SnippetRequest): string {
  const body = bodyOf(request);
  const content = fitsJavaScript(body)
    ? `JSON.stringify(${indented(visibleJson(body), '  ')})`
    : `${quoted(body)}, // text, so that numbers keep their digits`;
  return `const response = await fetch(${quoted(urlOf(request))}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: ${content}${content.endsWith(')') ? ',' : ''}
});
const job = await response.json();
console.log(response.status, job);
`;
}

function runpodSdk(request: SnippetRequest): string {
  const call = request.waits ? 'runSync' : 'run';
  return `import runpodSdk from 'runpod-sdk';

const runpod = runpodSdk(process.env.API_KEY, { baseUrl: ${quoted(request.base)} });
const endpoint = runpod.endpoint(${quoted(request.endpoint)});
${lossOf(bodyOf(request))}const job = await endpoint.${call}(${javaScript(bodyOf(request))});
console.log(job);
`;
}

interface Chat {
  /** JSON. */
  readonly model: string;
  readonly messages: string;
}

/** Returns the messages of a chat from the input's messages or prompt. */
function chatOf({ input }: Request): Chat {
  const members = membersOf(input);
  const prompt = members?.get('prompt');
  const messages = members?.get('messages');
  const content = prompt?.startsWith('"') ? prompt : '"Hello"';
  return {
    model: members?.get('model') ?? '"MODEL"',
    messages: messages?.startsWith('[') ? messages : `[{ "role": "user", "content": ${content} }]`,
  };
}

const openAiBase = ({ base, endpoint }: SnippetRequest) => `${base}/${encodeURIComponent(endpoint)}/openai/v1`;

function openAiJavaScript(request: SnippetRequest): string {
  const { model, messages } = chatOf(request);
  return `import OpenAI from 'openai';

// For workers with an OpenAI-compatible server.
const client = new OpenAI({ apiKey: process.env.API_KEY, baseURL: ${quoted(openAiBase(request))} });
${lossOf(messages)}const completion = await client.chat.completions.create({
  model: ${javaScript(model)},
  messages: ${indented(javaScript(messages), '  ')},
});
console.log(completion.choices[0].message.content);
`;
}

/** Returns a Python expression for the JSON. */
const python = (json: string) => (fitsPython(json) ? pythonLiteral(json) : `json.loads(${pythonString(json)})`);

const pythonImports = (code: string) => (code.includes('json.loads(') ? 'import json\nimport os' : 'import os');

function requestsCode(request: SnippetRequest): string {
  const body = bodyOf(request);
  // A body is sent as text if Python's numbers would change it.
  const content = fitsPython(body)
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

function runpodCode(request: SnippetRequest): string {
  const body = python(bodyOf(request));
  const call = request.waits ? 'run_sync' : 'run';
  return `${pythonImports(body)}

os.environ["RUNPOD_ENDPOINT_BASE_URL"] = ${pythonString(request.base)}  # read by the import of runpod
import runpod

runpod.api_key = os.environ["API_KEY"]
endpoint = runpod.Endpoint(${pythonString(request.endpoint)})
job = endpoint.${call}(${body})
print(job${request.waits ? '' : '.output(timeout=120)'})
`;
}

function openAiPython(request: SnippetRequest): string {
  const { model, messages } = chatOf(request);
  const code = `completion = client.chat.completions.create(
    model=${python(model)},
    messages=${indented(python(messages), '    ')},
)
print(completion.choices[0].message.content)
`;
  return `${pythonImports(code)}

from openai import OpenAI

# For workers with an OpenAI-compatible server.
client = OpenAI(api_key=os.environ["API_KEY"], base_url=${pythonString(openAiBase(request))})
${code}`;
}

const writers: Readonly<Record<Snippet, (request: SnippetRequest) => string>> = {
  curl,
  fetch: fetchCode,
  'runpod-sdk': runpodSdk,
  'openai-js': openAiJavaScript,
  requests: requestsCode,
  runpod: runpodCode,
  'openai-python': openAiPython,
};

/** @param request a request with valid JSON as input */
export function snippetOf(kind: Snippet, request: SnippetRequest): string {
  if (kind === 'curl' || request.input.length <= MAX_LENGTH) return writers[kind](request);
  const comment = snippets[kind].language === 'Python' ? '#' : '//';
  return `${comment} The input is too long to show here. Read it from a file, as in the code for curl.\n`;
}
