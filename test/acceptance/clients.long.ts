/**
 * Runs unmodified clients of OpenAI and of RunPod against `npm start`, and checks their results and errors. The
 * workers are a small OpenAI server and a worker that yields what RunPod's worker for vLLM yields. A program of the
 * documentation runs too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { assemblyWith } from './added-endpoints.ts';
import { clientPackages } from './clients/packages.ts';
import { nodeWith, type Program, programOf, pythonOf, resultsOf, run } from './clients/programs.ts';
import { startRefusingProxy } from './clients/refusing.ts';
import { eventually, type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { withPython } from './workers/kinds-here.ts';
import { pythonWith, pythonWithSdk } from './workers/python.ts';

const FOLDER = resolve('test/acceptance/clients');
const VERSIONS = { openai: '3.54.0', 'langchain-openai': '1.7.3' } as const;
const LIMIT = 5 * MINUTE;
/**
 * Execution timeout of the endpoints that OpenAI clients call. It is longer than the time in which a disconnect
 * must stop the server.
 */
const EXECUTION_TIMEOUT = 8 * SECOND;

const stateDir = newStateDir();
let service: LocalService | undefined;

const languages = [
  'JavaScript',
  ...(withPython ? (['Python', 'LangChain', 'RunPod in Python'] as const) : []),
] as const;
type Language = (typeof languages)[number];

/** Interpreter of each language. */
const interpreters = Promise.withResolvers<Readonly<Record<Language, Omit<Program, 'source'>>>>();
const started = Promise.withResolvers<LocalService>();
interpreters.promise.catch(() => undefined);
started.promise.catch(() => undefined);

/** Each lane runs one program at a time, because programs of RunPod clients purge the queue of their endpoint. */
const lanes = {
  llm: Promise.resolve<unknown>(undefined),
  'llm-worker': Promise.resolve<unknown>(undefined),
  runpod: Promise.resolve<unknown>(undefined),
};

function enqueue<Result>(
  lane: keyof typeof lanes,
  language: Language,
  source: string,
  execute: (program: Program, env: NodeJS.ProcessEnv) => Promise<Result>,
  more: (running: LocalService) => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv = () => ({}),
): Promise<Result> {
  const result = lanes[lane].then(async () => {
    const [running, all] = await Promise.all([started.promise, interpreters.promise]);
    const env = {
      API_KEY: running.ApiKey,
      OPENAI_API_KEY: running.ApiKey,
      OPENAI_BASE_URL: `${running.JobApiUrl}/llm/openai/v1`,
      RUNPOD_API_KEY: running.ApiKey,
      RUNPOD_ENDPOINT_BASE_URL: running.JobApiUrl,
      ...(await more(running)),
    };
    return execute({ source, ...all[language] }, env);
  });
  lanes[lane] = result.catch(() => undefined);
  // The tests that await the result report its failure.
  result.catch(() => undefined);
  return result;
}

const sourceOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const [packages, openai, langchain, runpod] = await Promise.all([
    clientPackages(),
    withPython ? pythonWith('openai', VERSIONS.openai) : '',
    withPython ? pythonWith('langchain-openai', VERSIONS['langchain-openai']) : '',
    withPython ? pythonWithSdk() : '',
    assemblyWith(assembly, readDeclarations(FOLDER)),
  ]);
  interpreters.resolve({
    JavaScript: nodeWith(packages),
    Python: pythonOf(openai),
    LangChain: pythonOf(langchain),
    'RunPod in Python': pythonOf(runpod),
  });
  const env = { LOCAL_IMAGES: join(FOLDER, 'images.yaml') };
  service = await startService(stateDir, { args: ['--assembly', assembly], env });
  started.resolve(service);
}, LIMIT);

afterAll(async () => {
  if (service) await stopService(service);
});

describe('OpenAI clients', () => {
  const raised = (timeOut: string) => ({
    'bad request': ['BadRequestError', 400],
    'wrong key': ['AuthenticationError', 401],
    'no such model': ['NotFoundError', 404],
    'no such endpoint': ['NotFoundError', 404],
    'rate limit': ['RateLimitError', 429],
    failure: ['InternalServerError', 500],
    'ran too long': ['InternalServerError', 504],
    'time-out': [timeOut, null],
  });
  const behaviours = {
    models: ['lists models', ['qwen']],
    chat: ['gets an answer with its token usage', ['Hello from qwen.', 7]],
    stream_with_tools: ['streams a tool call', ['get_weather', { city: 'Paris' }, 'tool_calls']],
    stream_with_usage: [
      'streams every word once and in order, and then the token usage',
      [Array.from({ length: 20 }, (_, n) => String(n)), 7],
    ],
    asynchronous: ['streams with its asynchronous interface', 'Hello from qwen.'],
    embeddings: [
      'gets embeddings',
      [
        [0.25, -0.5, 1],
        [0.25, -0.5, 1],
      ],
    ],
    failure_once: ['does not resend a request that failed on a worker', 1],
    message: ['shows the message and the job id of an error', ['The model `gpt` does not exist.', true]],
    retries: ['retries after a 429 when `Retry-After` allows it', ['Hello from qwen.', true]],
  } as const;

  const clients = [
    { name: "OpenAI's JavaScript SDK", language: 'JavaScript', file: 'openai-client.mjs' },
    { name: "OpenAI's Python SDK", language: 'Python', file: 'openai_client.py' },
    { name: "LangChain's ChatOpenAI", language: 'LangChain', file: 'langchain_client.py' },
  ] as const;
  const workers = [
    { endpoint: 'llm', worker: 'an OpenAI server' },
    { endpoint: 'llm-worker', worker: 'a worker like worker-vllm' },
  ] as const;
  const cells = clients
    .filter(({ language }) => (languages as readonly string[]).includes(language))
    .flatMap((client) => workers.map((worker) => ({ ...client, ...worker })))
    .map((cell) => {
      const log = join(stateDir, `log-${cell.language}-${cell.endpoint}`);
      const results = enqueue(cell.endpoint, cell.language, sourceOf(cell.file), resultsOf, async ({ JobApiUrl }) => {
        const base = `${JobApiUrl}/${cell.endpoint}/openai/v1`;
        const refusing = await startRefusingProxy(base);
        proxies.push(refusing);
        return { LOG: log, FAILURES: `${log}-failures`, OPENAI_BASE_URL: base, REFUSING_URL: refusing.url };
      });
      return { ...cell, log, results };
    });
  const proxies: { close(): void }[] = [];
  afterAll(() => {
    for (const proxy of proxies) proxy.close();
  });

  describe.each(cells)('$name with $worker', ({ language, log, results }) => {
    it.each(Object.entries(behaviours).map(([key, [title, expected]]) => [title, key, expected] as const))(
      '%s',
      async (_, key, expected) => {
        expect((await results)[key]).toEqual(expected);
      },
      LIMIT,
    );

    it(
      'raises the error classes of the client',
      async () => {
        const timeOut = language === 'JavaScript' ? 'APIConnectionTimeoutError' : 'APITimeoutError';
        expect((await results).errors).toEqual(raised(timeOut));
      },
      LIMIT,
    );

    it(
      "stops the server's work when the client closes a stream",
      async () => {
        expect((await results).close).toEqual(['0 ', '1 ', '2 ']);
        const read = () =>
          existsSync(log) ? /^start (\d+)\nleft (\d+)\n$/.exec(readFileSync(log, 'utf8')) : undefined;
        const [, start, end] = await eventually('the server has logged the disconnect', () => read() ?? undefined);
        expect(Number(end) - Number(start)).toBeLessThan(EXECUTION_TIMEOUT - SECOND);
      },
      LIMIT,
    );
  });
});

describe("Vercel's AI SDK", () => {
  const failures = join(stateDir, 'vercel-failures');
  const results = enqueue('llm', 'JavaScript', sourceOf('vercel-client.mjs'), resultsOf, () => ({
    FAILURES: failures,
  }));

  it(
    'gets an answer, and does not resend a request that failed on a worker',
    async () => {
      expect(await results).toEqual({ text: 'Hello from qwen.', failure: ['CUDA error: out of memory', 1] });
    },
    LIMIT,
  );
});

describe("OpenAI's JavaScript SDK deletes a file", () => {
  const deleted = (endpoint: 'llm' | 'llm-worker') =>
    enqueue(endpoint, 'JavaScript', sourceOf('openai-files.mjs'), resultsOf, ({ JobApiUrl }) => ({
      OPENAI_BASE_URL: `${JobApiUrl}/${endpoint}/openai/v1`,
    }));
  const [ofServer, ofWorker] = [deleted('llm'), deleted('llm-worker')];

  it(
    'of a worker that is an HTTP server',
    async () => {
      expect(await ofServer).toEqual({ deleted: true });
    },
    LIMIT,
  );

  it(
    'and gets an error of its own class if the worker asks for jobs',
    async () => {
      expect(await ofWorker).toEqual({ error: 'NotFoundError', code: 'ROUTE_NOT_FOUND' });
    },
    LIMIT,
  );
});

describe("calls from RunPod's clients", () => {
  const keys = expect.arrayContaining(['jobs', 'workers']);
  const of = (language: Language, file: string, endpoint: string, checks: readonly string[], named = false) =>
    enqueue('runpod', language, sourceOf(file), resultsOf, () => ({
      ENDPOINT: endpoint,
      NAMED: String(named),
      CHECKS: checks.join(','),
    }));
  const all = {
    health: keys,
    run_sync: { n: 1 },
    run: [{ n: 2 }, 'COMPLETED'],
    stream: ['x', 'x', 'x'],
    cancel: ['CANCELLED', 'CANCELLED'],
    purge: 'completed',
  };
  const inPython = { ...all, asynchronous: [{ n: 3 }, all.stream, 'CANCELLED', keys] };

  describe.each(['echo', 'echo-sdk'])('to endpoint %s', (endpoint) => {
    const results = of('JavaScript', 'runpod-client.mjs', endpoint, []);
    it(
      'work in JavaScript, including streams',
      async () => {
        expect(await results).toEqual(all);
      },
      LIMIT,
    );
  });

  if (!withPython) return;
  const named = of('RunPod in Python', 'runpod_client.py', 'echo', Object.keys(inPython), true);
  const withEnvelope = { ...inPython, waits: ['x', 'x'] };
  const enveloped = of('RunPod in Python', 'runpod_client.py', 'echo-sdk', Object.keys(withEnvelope));
  const unnamed = of('RunPod in Python', 'runpod_client.py', 'echo', ['run', 'stream']);

  it(
    "work in Python, including streams, if the client's User-Agent identifies it",
    async () => {
      expect(await named).toEqual(inPython);
    },
    LIMIT,
  );

  it(
    "work in Python, including streams, with `streamEnvelope`, even if pauses between chunks exceed the client's wait",
    async () => {
      expect(await enveloped).toEqual(withEnvelope);
    },
    LIMIT,
  );

  it(
    "fail in Python on the contract's array of chunks if the User-Agent does not identify the client",
    async () => {
      await expect(unnamed).rejects.toThrow('TypeError: list indices must be integers or slices, not str');
    },
    LIMIT,
  );
});

const PAGE = 'docs/reference/compared-with-runpod.md';

if (withPython) {
  const program = programOf(PAGE, 'Stream in Python', 'python');
  const outcome = enqueue('runpod', 'RunPod in Python', program, run);

  it(
    `prints the chunks of a stream with the program of ${PAGE}`,
    async () => {
      const { code, printed, wrong } = await outcome;
      if (code !== 0) throw new Error(wrong.slice(-4_000));
      expect(printed).toBe('chunk: one\nchunk: two\n');
    },
    LIMIT,
  );
}

it('runs the Python clients if Python is installed', () => {
  if (!withPython) console.log('Python clients are not tested: Python with virtual environments is missing.');
  expect(languages).toHaveLength(withPython ? 4 : 1);
});
