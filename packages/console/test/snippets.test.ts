import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { bodyOf } from '../playground/request.ts';
import { CHAT, type Snippet, type SnippetRequest, snippetOf, snippets } from '../playground/snippets.ts';

/** Request with text that tries to break out of quotes. Its numbers keep their value in Python and JavaScript. */
const hostile: SnippetRequest = {
  base: 'https://api.example.com/v2',
  endpoint: 'echo',
  path: 'runsync',
  body: bodyOf({
    input: `{
  "prompt": "It's \\"here\\" $HOME \`id\` $(id) \\\\ \\ud83d\\ude00 😀 \\/ \u202e ''' \\n",
  "@file": [1.5, -2, true, false, null, {}],
  "'; exit 3; '": "!!"
}`,
    policy: { ttl: 10_000, lowPriority: true },
    webhook: "https://receiver.example.com/?a='b'&c=$(id)",
  }),
};

/** Body with digits that JavaScript's numbers do not keep. */
const large: SnippetRequest = { ...hostile, body: '{"n": 9007199254740993, "f": 0.12345678901234567890}' };

const messages = [{ role: 'user', content: "It's $HOME" }];
const chat: SnippetRequest = { ...hostile, path: CHAT, body: JSON.stringify({ model: 'm', messages }) };
const CLIENT = ['key-of-the-test', 'https://api.example.com/v2/echo/openai/v1'];

const wanted = ({ body }: SnippetRequest) => JSON.parse(body) as unknown;

const run = (command: string, args: readonly string[], input: string) => {
  const env = { ...process.env, API_KEY: 'key-of-the-test' };
  const { stdout, stderr, status } = spawnSync(command, args, { input, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};

/** Returns the arguments that the shell passes to curl. */
const curlArguments = (request: SnippetRequest) =>
  run('sh', [], `curl() { printf '%s\\0' "$@"; }\n${snippetOf('curl', request)}`)
    .split('\0')
    .slice(0, -1);

/** Returns the arguments that the code passes to a stub of its client, as JSON. */
function passed(code: string, stub: string): unknown {
  const body = code.replace(/^import .*$/gm, '');
  return JSON.parse(run(process.execPath, ['--input-type=module'], `${stub}\n${body}`).split('\n')[0] ?? '');
}

const FETCH = `globalThis.fetch = async (url, { headers, body, method }) => {
  console.log(JSON.stringify([method, url, headers.Authorization, body]));
  return { status: 200, json: async () => 0 };
};`;
const OPENAI = `class OpenAI {
  constructor(options) {
    this.chat = { completions: { create: async (body) => {
      console.log(JSON.stringify([options.apiKey, options.baseURL, body]));
      return { choices: [{ message: {} }] };
    } } };
  }
}`;

describe('the code of a request', () => {
  it('passes the body to curl as one argument', () => {
    expect(curlArguments(hostile)).toEqual([
      '--fail-with-body',
      'https://api.example.com/v2/echo/runsync',
      '--header',
      'Authorization: Bearer key-of-the-test',
      '--header',
      'Content-Type: application/json',
      '--data-raw',
      expect.any(String),
    ]);
    expect(JSON.parse(curlArguments(hostile).at(-1) ?? '')).toEqual(wanted(hostile));
    expect(curlArguments(large).at(-1)).toBe(large.body);
  });

  it('sends the body with fetch, including digits that JavaScript numbers lose', () => {
    const [method, url, key, body] = passed(snippetOf('javascript', hostile), FETCH) as string[];
    expect([method, url, key]).toEqual(['POST', 'https://api.example.com/v2/echo/runsync', 'Bearer key-of-the-test']);
    expect(JSON.parse(body ?? '')).toEqual(wanted(hostile));
    expect(passed(snippetOf('javascript', large), FETCH)).toContain(large.body);
  });

  it('passes a chat to the OpenAI client of JavaScript', () => {
    expect(passed(snippetOf('javascript', chat), OPENAI)).toEqual([...CLIENT, wanted(chat)]);
    expect(passed(snippetOf('javascript', { ...large, path: CHAT }), OPENAI)).toEqual([...CLIENT, wanted(large)]);
    expect(curlArguments(chat)).toContain('https://api.example.com/v2/echo/openai/v1/chat/completions');
  });

  it('reads the key from the environment in every language, and never contains a key', () => {
    for (const kind of Object.keys(snippets) as Snippet[]) expect(snippetOf(kind, hostile)).toContain('API_KEY');
  });

  it('reads an input from a file if it is too long for code', () => {
    const long = { ...hostile, body: `{"a": "${'x'.repeat(200_000)}"}` };
    expect(snippetOf('curl', long)).toContain('--data-binary @body.json');
    expect(snippetOf('python', long)).toMatch(/^# The input is too long/);
    expect(snippetOf('javascript', long)).toMatch(/^\/\/ The input is too long/);
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('The code for Python is not run, because python3 is not installed.');

/** Stubs of modules that print their arguments. */
const PYTHON = `
import json, sys, types
def module(name, **members):
    sys.modules[name] = types.SimpleNamespace(**members)
def show(*given):
    print(json.dumps(given, ensure_ascii=True))
class Response:
    status_code = 200
    def json(self): return 0
def post(url, headers, timeout, json=None, data=None):
    show(url, headers["Authorization"], json, data and data.decode())
    return Response()
class OpenAI:
    def __init__(self, api_key, base_url): self.chat = types.SimpleNamespace(completions=self); self.made = [api_key, base_url]
    def create(self, **body):
        show(*self.made, body)
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=types.SimpleNamespace(content=""))])
module("requests", post=post)
module("openai", OpenAI=OpenAI)
`;

const python = (code: string) =>
  JSON.parse(run('python3', ['-'], `${PYTHON}\n${code}`).split('\n')[0] ?? '') as unknown;

if (hasPython)
  describe('the code for Python', () => {
    it('passes the body to requests, and keeps digits', () => {
      const [url, key, body] = python(snippetOf('python', hostile)) as unknown[];
      expect([url, key, body]).toEqual([
        'https://api.example.com/v2/echo/runsync',
        'Bearer key-of-the-test',
        wanted(hostile),
      ]);
      expect(python(snippetOf('python', large))).toContain(large.body);
    });

    it('passes a chat to the OpenAI client', () => {
      expect(python(snippetOf('python', chat))).toEqual([...CLIENT, wanted(chat)]);
      expect(python(snippetOf('python', { ...large, path: CHAT }))).toEqual([...CLIENT, wanted(large)]);
    });
  });
