/** Sends bodies and results of the contract's largest sizes through unmodified clients. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { payloadLimits } from '../../core/limits.ts';
import type { LocalService } from './local-service.ts';

const run = promisify(execFile);

export type Operation = keyof typeof payloadLimits.body;

/** Characters of every kind that JSON or UTF-8 treats specially. */
const ALPHABET = ['a', '0', ' ', 'é', '日', '😀', '\\"', '\\\\', '\\n', '\\u00e9', '{', ']', ','];

/** Returns the JSON of an input whose request body has this number of bytes. The result is always the same. */
export function inputOf(bytes: number): string {
  const [head, tail] = ['{"text":"', '"}'];
  let left = bytes - Buffer.byteLength(`{"input":${head}${tail}}`);
  const parts: string[] = [];
  for (let n = 0; left > 0; n += 1) {
    const next = ALPHABET[(n * n + n) % ALPHABET.length] ?? '';
    const size = Buffer.byteLength(next);
    parts.push(size <= left ? next : 'x'.repeat(left));
    left -= Math.min(size, left);
  }
  return `${head}${parts.join('')}${tail}`;
}

export const bodyOf = (input: string): string => `{"input":${input}}`;
export const digestOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

export interface Response {
  readonly status: number;
  readonly text: string;
}

/** Sends the body with `curl --data-binary @file`. */
export async function curl(
  { ApiKey, stateDir }: Pick<LocalService, 'ApiKey' | 'stateDir'>,
  url: string,
  body: string,
  more: readonly string[] = [],
): Promise<Response> {
  const [request, response] = ['request.json', 'response.json'].map((name) => join(stateDir, name));
  writeFileSync(request ?? '', body);
  const { stdout } = await run('curl', [
    ...['--silent', '--show-error', '--request', 'POST', '--data-binary', `@${request}`],
    ...['--header', `Authorization: Bearer ${ApiKey}`, '--header', 'Content-Type: application/json'],
    ...['--output', response ?? '', '--write-out', '%{http_code}', ...more, url],
  ]);
  return { status: Number(stdout), text: readFileSync(response ?? '', 'utf8') };
}

/** Bytes of the body that are sent before the client pauses. */
const BEGINNING = 1_024;

/** Sends the length and the beginning of the body, and waits for the response without sending the rest. */
export async function sendBeginning({ ApiKey }: LocalService, url: string, body: string): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${ApiKey}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const request = httpRequest(url, { method: 'POST', headers, agent: false });
  request.write(body.slice(0, BEGINNING));
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } finally {
    request.destroy();
  }
}

/** Submits a body of the given size with RunPod's Python client, and prints whether the output equals the input. */
const CLIENT = `
import json, os, sys
import runpod

runpod.api_key = os.environ["RUNPOD_API_KEY"]

operation, size = sys.argv[1], int(sys.argv[2])
empty = len(json.dumps({"input": {"text": ""}}).encode())
sent = {"text": "x" * (size - empty)}
endpoint = runpod.Endpoint("echo")
try:
    if operation == "runsync":
        output = endpoint.run_sync({"input": sent}, timeout=120)
    else:
        output = endpoint.run({"input": sent}).output(timeout=120)
    print(json.dumps({"same": output == sent}))
except Exception as error:
    print(json.dumps({"error": str(error)[:500]}))
`;

export interface PythonAnswer {
  readonly same?: boolean;
  readonly error?: string;
}

/**
 * Runs the client.
 * @param python interpreter that has RunPod's SDK
 */
export async function askPython(
  python: string,
  { JobApiUrl, ApiKey, stateDir }: LocalService,
  operation: Operation,
  bytes: number,
): Promise<PythonAnswer> {
  const file = join(stateDir, 'client.py');
  writeFileSync(file, CLIENT);
  const env = { ...process.env, RUNPOD_ENDPOINT_BASE_URL: JobApiUrl, RUNPOD_API_KEY: ApiKey };
  const { stdout } = await run(python, [file, operation, String(bytes)], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PythonAnswer;
}
