import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { bodyOf } from '../playground/request.ts';
import { type Snippet, type SnippetRequest, snippetOf, snippets } from '../playground/snippets.ts';

/** Request with text that tries to break out of quotes. Its numbers keep their value in Python and JavaScript. */
const hostile: SnippetRequest = {
  base: 'https://api.example.com/v2',
  endpoint: 'echo',
  waits: true,
  input: `{
  "prompt": "It's \\"here\\" $HOME \`id\` $(id) \\\\ \\ud83d\\ude00 😀 \\/ \u202e ''' \\n",
  "@file": [1.5, -2, true, false, null, {}],
  "'; exit 3; '": "!!"
}`,
  policy: { ttl: 10_000, lowPriority: true },
  webhook: "https://receiver.example.com/?a='b'&c=$(id)",
};

/** Body with digits that JavaScript's numbers do not keep. */
const large: SnippetRequest = { ...hostile, input: '{"n": 9007199254740993, "f": 0.12345678901234567890}' };

const wanted = (request: SnippetRequest) => JSON.parse(bodyOf(request)) as unknown;

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
const RUNPOD_SDK =
  'const runpodSdk = (key, { baseUrl }) => ({ endpoint: (id) => ({ runSync: (body) => console.log(JSON.stringify([key, baseUrl, id, body])) }) });';
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
    expect(curlArguments(large).at(-1)).toBe(bodyOf(large));
  });

  it('sends the body with fetch, including digits that JavaScript numbers lose', () => {
    const [method, url, key, body] = passed(snippetOf('fetch', hostile), FETCH) as string[];
    expect([method, url, key]).toEqual(['POST', 'https://api.example.com/v2/echo/runsync', 'Bearer key-of-the-test']);
    expect(JSON.parse(body ?? '')).toEqual(wanted(hostile));
    expect(passed(snippetOf('fetch', large), FETCH)).toContain(bodyOf(large));
  });

  it('passes the request to runpod-sdk, and contains a comment if digits are lost', () => {
    expect(passed(snippetOf('runpod-sdk', hostile), RUNPOD_SDK)).toEqual([
      'key-of-the-test',
      'https://api.example.com/v2',
      'echo',
      wanted(hostile),
    ]);
    expect(snippetOf('runpod-sdk', hostile)).not.toContain('lose digits');
    expect(snippetOf('runpod-sdk', large)).toContain('lose digits');
  });

  it("passes the input's prompt or messages to an OpenAI client", () => {
    const ask = (input: string) => passed(snippetOf('openai-js', { ...hostile, input }), OPENAI);
    const client = ['key-of-the-test', 'https://api.example.com/v2/echo/openai/v1'];
    expect(ask('{"prompt": "It\'s", "model": "m"}')).toEqual([
      ...client,
      { model: 'm', messages: [{ role: 'user', content: "It's" }] },
    ]);
    expect(ask('{"messages": [{"role": "system", "content": "x"}]}')).toEqual([
      ...client,
      { model: 'MODEL', messages: [{ role: 'system', content: 'x' }] },
    ]);
  });

  it('reads the key from the environment in every language, and never contains a key', () => {
    for (const kind of Object.keys(snippets) as Snippet[]) expect(snippetOf(kind, hostile)).toContain('API_KEY');
  });

  it('reads an input from a file if it is too long for code', () => {
    const long = { ...hostile, input: `{"a": "${'x'.repeat(200_000)}"}` };
    expect(snippetOf('curl', long)).toContain('--data-binary @body.json');
    expect(snippetOf('requests', long)).toMatch(/^# The input is too long/);
    expect(snippetOf('fetch', long)).toMatch(/^\/\/ The input is too long/);
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
class Endpoint:
    def __init__(self, id): self.id = id
    def run_sync(self, body): show(self.id, body)
class OpenAI:
    def __init__(self, api_key, base_url): self.chat = types.SimpleNamespace(completions=self); self.made = [api_key, base_url]
    def create(self, **body):
        show(*self.made, body)
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=types.SimpleNamespace(content=""))])
module("requests", post=post)
module("runpod", Endpoint=Endpoint)
module("openai", OpenAI=OpenAI)
`;

const python = (code: string) =>
  JSON.parse(run('python3', ['-'], `${PYTHON}\n${code}`).split('\n')[0] ?? '') as unknown;

if (hasPython)
  describe('the code for Python', () => {
    it('passes the body to requests, and keeps digits', () => {
      const [url, key, body] = python(snippetOf('requests', hostile)) as unknown[];
      expect([url, key, body]).toEqual([
        'https://api.example.com/v2/echo/runsync',
        'Bearer key-of-the-test',
        wanted(hostile),
      ]);
      expect(python(snippetOf('requests', large))).toContain(bodyOf(large));
    });

    it('passes the request to runpod', () => {
      expect(python(snippetOf('runpod', hostile))).toEqual(['echo', wanted(hostile)]);
      expect(python(snippetOf('runpod', large))).toEqual(['echo', wanted(large)]);
    });

    it("passes the input's prompt to an OpenAI client", () => {
      expect(python(snippetOf('openai-python', hostile))).toEqual([
        'key-of-the-test',
        'https://api.example.com/v2/echo/openai/v1',
        {
          model: 'MODEL',
          messages: [{ role: 'user', content: (wanted(hostile) as { input: { prompt: string } }).input.prompt }],
        },
      ]);
    });
  });
