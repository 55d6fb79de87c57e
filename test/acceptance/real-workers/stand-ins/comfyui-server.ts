/**
 * Implements the part of ComfyUI's HTTP interface and web socket that workers use. The first node of a workflow
 * determines how it ends. `class_type` is one of: Images, with the inputs `count` and, if an image was uploaded,
 * `image`; Slow, with `ms`; Fails; Invalid; or Exit, which ends the process.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Address at which worker-comfyui expects the server. */
const PORT = 8188;
/** Milliseconds until the next attempt to listen. The server of a stopping worker might still use the port. */
const RETRY = 200;
/** GUID that a server appends to the client's key (RFC 6455). */
const WEB_SOCKET = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** First byte of a complete frame that closes the connection. */
const CLOSING = 0x88;

interface Node {
  readonly class_type: string;
  readonly inputs: { readonly count?: number; readonly ms?: number; readonly image?: string };
}
interface Prompt {
  readonly prompt: Readonly<Record<string, Node>>;
  readonly client_id: string;
}
interface Picture {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

const sockets = new Map<string, Socket>();
const histories = new Map<string, object>();
const uploads = new Map<string, Buffer>();
let prompts = 0;

/** Returns a complete, unmasked frame of a server. */
function frame(opcode: number, payload: Buffer): Buffer {
  const head = payload.length < 126 ? Buffer.from([0x80 | opcode, payload.length]) : Buffer.alloc(4);
  if (payload.length >= 126) {
    head.set([0x80 | opcode, 126]);
    head.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([head, payload]);
}

function send(client: string, type: string, data: object): void {
  sockets.get(client)?.write(frame(1, Buffer.from(JSON.stringify({ type, data }))));
}

async function execute(id: string, { prompt, client_id: client }: Prompt): Promise<void> {
  const [[node, { class_type: kind, inputs }] = ['1', { class_type: 'Images', inputs: {} }]] = Object.entries(prompt);
  const { count = 1, ms = 0, image } = inputs;
  send(client, 'status', { status: { exec_info: { queue_remaining: 1 } } });
  send(client, 'executing', { node, prompt_id: id });
  // A preview image. ComfyUI sends such images while it works.
  sockets.get(client)?.write(frame(2, Buffer.from([0, 0, 0, 1, 0, 0, 0, 2])));
  send(client, 'progress', { value: 1, max: 2, prompt_id: id, node });
  await delay(ms);
  if (kind === 'Fails') {
    histories.set(id, { outputs: {} });
    const failure = { node_type: kind, node_id: node, exception_message: 'no such sampler' };
    return send(client, 'execution_error', { prompt_id: id, ...failure });
  }
  const images = Array.from(
    { length: count },
    (_, n): Picture => ({ filename: image ?? `made-${n}.png`, subfolder: '', type: image ? 'input' : 'output' }),
  );
  histories.set(id, { outputs: { [node]: { images } } });
  send(client, 'executing', { node: null, prompt_id: id });
}

/**
 * Stores the file of a form. Boundary and headers are ASCII, and the file is between the blank line and the
 * boundary.
 */
function keepUpload(incoming: IncomingMessage, body: Buffer): void {
  const boundary = /boundary=(\S+)/.exec(incoming.headers['content-type'] ?? '')?.[1] ?? '';
  const start = body.indexOf('\r\n\r\n') + 4;
  const name = /filename="([^"]+)"/.exec(body.subarray(0, start).toString())?.[1] ?? '';
  uploads.set(name, body.subarray(start, body.indexOf(`\r\n--${boundary}`, start)));
}

const server = createServer(async (incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://comfyui');
  const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
  if (pathname === '/prompt') {
    const request = JSON.parse(body.toString()) as Prompt;
    const kind = Object.values(request.prompt)[0]?.class_type;
    if (kind === 'Exit') process.exit(1);
    if (kind === 'Invalid') {
      const error = { type: 'invalid_prompt', message: 'Cannot execute because a node is missing' };
      return void response.writeHead(400).end(JSON.stringify({ error, node_errors: {} }));
    }
    prompts += 1;
    const id = `prompt-${process.pid}-${prompts}`;
    response.end(JSON.stringify({ prompt_id: id, number: prompts, node_errors: {} }));
    return execute(id, request);
  }
  if (pathname === '/upload/image') keepUpload(incoming, body);
  if (pathname === '/view') {
    const name = searchParams.get('filename') ?? '';
    return void response.end(uploads.get(name) ?? Buffer.from(`image ${name}`));
  }
  const id = pathname.split('/history/')[1];
  return void response.end(JSON.stringify(id === undefined ? {} : { [id]: histories.get(id) }));
});

server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
  const client = new URL(incoming.url ?? '/', 'http://comfyui').searchParams.get('clientId') ?? '';
  const accept = createHash('sha1').update(`${incoming.headers['sec-websocket-key']}${WEB_SOCKET}`).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
  sockets.set(client, socket);
  const forget = () => sockets.delete(client);
  // The server ignores all frames except the one that closes the connection.
  socket.on('data', ([first = 0]: Buffer) => first === CLOSING && socket.end(frame(8, Buffer.alloc(0))));
  socket.on('error', forget).on('close', forget);
});
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  setTimeout(() => server.listen(PORT, '127.0.0.1'), RETRY);
});
server.listen(PORT, '127.0.0.1');
