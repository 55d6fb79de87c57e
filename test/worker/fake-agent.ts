/** A fake gateway of the agent, which a test controls. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Report {
  readonly id: string;
  /** The body of the call, as a JSON string. */
  readonly body: string;
}

export interface FakeAgent {
  readonly port: number;
  /** Answers the next take with the job. */
  give(id: string, input: object | string, attempt?: number): void;
  /** Answers stop polls with the job from now on, until the worker reports that it has no job. */
  stop(id: string): void;
  readonly reports: readonly Report[];
  /** The chunks that were streamed. */
  readonly chunks: readonly Report[];
  /** Refuses the next chunks with these statuses. */
  refuseChunks(statuses: readonly number[]): void;
  /** Number of calls that report no job without asking for one. `letGoers` contains their slots. */
  readonly letGos: number;
  readonly letGoers: readonly string[];
  /** Number of requests for a job. */
  readonly takes: number;
  /** Number of the worker's slots that wait for a job. */
  readonly waiting: number;
  /** Clears all counts and lists. */
  forget(): void;
  close(): void;
}

export async function startFakeAgent(): Promise<FakeAgent> {
  const jobs: string[] = [];
  const stops = new Set<string>();
  const reports: Report[] = [];
  const chunks: Report[] = [];
  const refusals: number[] = [];
  const waiting = { take: new Set<ServerResponse>(), stop: new Set<ServerResponse>() };
  const letGoers: string[] = [];
  let takes = 0;

  function hold(responses: Set<ServerResponse>, response: ServerResponse): void {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  }

  function answerWaiting(): void {
    for (const response of waiting.take) {
      const job = jobs.shift();
      if (job === undefined) break;
      waiting.take.delete(response);
      response.writeHead(200).end(job);
    }
    if (stops.size === 0) return;
    for (const response of waiting.stop) response.writeHead(200).end(JSON.stringify({ jobsToStop: [...stops] }));
  }

  const server = createServer(async (request, response) => {
    const [path = '', query] = (request.url ?? '').split('?');
    const [, , , verb, slot = '', id = ''] = path.split('/');
    if (verb === 'job-done') {
      reports.push({ id, body: await text(request) });
      response.end();
    } else if (verb === 'job-stream') {
      const body = await text(request);
      const refusal = refusals.shift();
      if (!refusal) chunks.push({ id, body });
      response.writeHead(refusal ?? 200).end(refusal && 'The chunk is refused.');
    } else if (verb === 'job-stop') {
      hold(waiting.stop, response);
    } else if (verb === 'job-take' && query === 'job_in_progress=0&wait=0') {
      letGoers.push(slot);
      stops.clear();
      response.writeHead(204).end();
    } else if (verb === 'job-take' && query === 'job_in_progress=0') {
      takes += 1;
      stops.clear();
      hold(waiting.take, response);
    } else {
      response.writeHead(404).end();
    }
    answerWaiting();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    reports,
    chunks,
    refuseChunks: (statuses) => void refusals.push(...statuses),
    give(id, input, attempt = 1) {
      const inputText = typeof input === 'string' ? input : JSON.stringify(input);
      jobs.push(`{"id":"${id}","attempt":${attempt},"input":${inputText}}`);
      answerWaiting();
    },
    stop(id) {
      stops.add(id);
      answerWaiting();
    },
    letGoers,
    get letGos() {
      return letGoers.length;
    },
    get takes() {
      return takes;
    },
    get waiting() {
      return waiting.take.size;
    },
    forget() {
      for (const list of [reports, chunks, letGoers]) list.length = 0;
      takes = 0;
    },
    close: () => server.close().closeAllConnections(),
  };
}
