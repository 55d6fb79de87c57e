/**
 * Proxies the calls of one endpoint's agents to DynamoDB. It records their leases and takes, and can hold a write
 * before it is executed, like a slow network, or hold its response, like a broken network.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, Agent as KeptConnections, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A lease as its worker wrote it. All times are in milliseconds since the epoch. */
export interface Beat {
  readonly worker: string;
  readonly jobs: readonly string[];
  readonly endsAt: number;
  readonly at: number;
}

export interface Take {
  readonly job: string;
  readonly worker: string;
  readonly attempt: number;
  readonly rescues: number;
}

export interface Held {
  readonly arrived: Promise<void>;
  /**
   * Lets the write and its response continue.
   * @returns the status of the response: 400 if the condition of the write failed
   */
  release(): Promise<number>;
  /** Closes the connection, because the process at its other end is gone. A held write is then never executed. */
  drop(): void;
}

export interface Gate {
  readonly url: string;
  readonly beats: readonly Beat[];
  readonly takes: readonly Take[];
  /**
   * Holds the next matching write or its response, also when the SDK repeats it because it was held for too long.
   * @param to status that the write sets
   */
  hold(what: 'write' | 'response', to: 'IN_PROGRESS' | 'COMPLETED'): Held;
  close(): Promise<void>;
}

type Attributes = Readonly<Record<string, { readonly S?: string; readonly N?: string; readonly L?: { S: string }[] }>>;

interface Call {
  readonly operation: string;
  readonly Item?: Attributes;
  readonly ExpressionAttributeValues?: Attributes;
}

interface StoredResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Hold {
  readonly what: 'write' | 'response';
  readonly to: string;
  /** The first matching call. Its repetitions have the same body. */
  body?: Buffer;
  arrive(): void;
  /** Resolves to whether the write continues. */
  readonly mayContinue: Promise<boolean>;
  responded(status: number): void;
}

/** Returns the new status of the job, which is the first value of its update (`aws/conditional-write.ts`). */
const statusAfter = ({ operation, ExpressionAttributeValues }: Call) =>
  operation === 'UpdateItem' ? ExpressionAttributeValues?.[':v0']?.S : undefined;

const text = (attributes: Attributes, name: string) => attributes[name]?.S ?? '';
const texts = (attributes: Attributes, name: string) => (attributes[name]?.L ?? []).map(({ S }) => S);
const number = (attributes: Attributes, name: string) => Number(attributes[name]?.N);

/**
 * Opens a gate.
 * @param target returns the address of the service, available when agents run
 */
export async function openGate(target: () => string): Promise<Gate> {
  const connections = new KeptConnections({ keepAlive: true });
  const beats: Beat[] = [];
  const takes: Take[] = [];
  let hold: Hold | undefined;

  function record(call: Call, response: StoredResponse): void {
    if (response.status !== 200) return;
    if (call.operation === 'PutItem' && call.Item?.endsAt) {
      const { Item } = call;
      const [worker, jobs, endsAt] = [text(Item, 'worker'), texts(Item, 'jobs'), number(Item, 'endsAt')];
      beats.push({ worker, jobs, endsAt, at: Date.now() });
    }
    if (statusAfter(call) === 'IN_PROGRESS') {
      const { Attributes: job } = JSON.parse(response.body.toString()) as { Attributes: Attributes };
      const [attempt, rescues] = [number(job, 'attempt'), number(job, 'rescues')];
      takes.push({ job: text(job, 'id'), worker: text(job, 'worker'), attempt, rescues });
    }
  }

  async function forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<StoredResponse> {
    const outgoing = request(`${target()}${url}`, { method, headers, agent: connections });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const call = { operation, ...JSON.parse(body.toString()) } as Call;
    if (hold && hold.to === statusAfter(call)) hold.body ??= body;
    const mine = hold?.body?.equals(body) ? hold : undefined;
    const waitAt = async (at: Hold['what']) => {
      if (mine?.what !== at) return true;
      mine.arrive();
      return mine.mayContinue;
    };
    if (!(await waitAt('write'))) return void outgoing.destroy();
    const response = await forward(incoming, body);
    record(call, response);
    if (!(await waitAt('response'))) return void outgoing.destroy();
    mine?.responded(response.status);
    outgoing.writeHead(response.status, response.headers).end(response.body);
  }

  const server = createServer((incoming, outgoing) => {
    // The caller and the service can be killed at any time.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 65_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    beats,
    takes,

    hold(what, to) {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      const { promise: mayContinue, resolve: decide } = Promise.withResolvers<boolean>();
      const { promise: status, resolve: responded } = Promise.withResolvers<number>();
      hold = { what, to, arrive, mayContinue, responded };
      return {
        arrived,
        release() {
          decide(true);
          return status;
        },
        drop: () => decide(false),
      };
    },

    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      connections.destroy();
      await closed;
    },
  };
}
