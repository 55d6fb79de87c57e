/**
 * Starts a process that serves bodies (`server.ts`), with a fake S3 in this process, and creates the bodies for
 * it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';

export const MB = 1_024 * 1_024;

/** @returns a body of about this many bytes, which repeats `unit` */
function filled(size: number, before: string, unit: string, after: string): Buffer {
  const times = Math.floor((size - before.length - after.length) / Buffer.byteLength(unit));
  return Buffer.concat([Buffer.from(before), Buffer.alloc(times * Buffer.byteLength(unit), unit), Buffer.from(after)]);
}

export const kinds = {
  'one string': (size: number) => filled(size, '{"input":{"a":"', 'x', '"}}'),
  'small arrays': (size: number) => filled(size, '{"input":{"a":[', '[],', '[]]}}'),
  'non-Latin text': (size: number) => filled(size, '{"input":{"a":"', '語', '"}}'),
} as const;

/** @returns the SHA-256 of the bytes, in hex */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** @returns the SHA-256 of the input of such a body */
export const hashOfInput = (body: Buffer): string => hashOf(body.subarray('{"input":'.length, -1));

export interface BodyServer {
  /** @returns the status of `/runsync` */
  submit(body: Buffer): Promise<number>;
  /** @returns the bytes of the `/status` response of a job with this output */
  readStatus(output: Uint8Array): Promise<Buffer>;
  /** @returns the maximum memory that the process has used, in bytes */
  peak(): Promise<number>;
  /** Hashes of the objects that were written. */
  readonly written: readonly string[];
  stop(): void;
}

/** Starts the process, and calls it once with small bodies. */
export async function startBodyServer(): Promise<BodyServer> {
  const written: string[] = [];
  let output: Uint8Array = Buffer.from('1');
  const s3 = createServer(async (request, response) => {
    if (request.method === 'PUT') written.push(hashOf(await buffer(request)));
    response.end(request.method === 'GET' ? output : undefined);
  });
  s3.listen(0, '127.0.0.1');
  await once(s3, 'listening');
  const env = {
    ...process.env,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`,
    PAYLOADS_BUCKET: 'payloads',
  };
  const child: ChildProcess & { readonly stdout: NodeJS.ReadableStream } = spawn(
    process.execPath,
    ['packages/lab/memory/server.ts'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [port] = await once(createInterface(child.stdout), 'line');
  const url = `http://127.0.0.1:${port}`;

  const server: BodyServer = {
    written,
    submit: async (body) => (await fetch(`${url}/runsync`, { method: 'POST', body: new Uint8Array(body) })).status,
    async readStatus(bytes) {
      output = bytes;
      return Buffer.from(await (await fetch(`${url}/status/output`)).arrayBuffer());
    },
    peak: async () => ((await (await fetch(`${url}/peak`)).json()) as { readonly peak: number }).peak,
    stop() {
      child.kill();
      s3.closeAllConnections();
      s3.close();
    },
  };
  await server.submit(kinds['one string'](MB / 64));
  await server.readStatus(output);
  written.length = 0;
  return server;
}
