/** Clients that read the stream of one job. */
import type { Service } from '../../../../test/support/service.ts';
import type { Clients } from '../waiting-calls/clients.ts';

/** An event that has reached the reader. Times are in milliseconds since the epoch. */
export interface Received {
  readonly job: string;
  readonly number: number;
  readonly made: number;
  readonly received: number;
}

interface Envelope {
  readonly status: string;
  readonly stream: readonly { readonly output: string }[];
}

type Event = Omit<Received, 'received'>;

const DATA = 'data: ';

/** How many events a worker streams, and how many of them per second. */
export interface Course {
  readonly events: number;
  readonly perSecond: number;
}

export interface Read {
  readonly job: string;
  /** Events in the order of their arrival. */
  readonly events: readonly Received[];
}

async function submit({ ask }: Clients, endpoint: string, input: Course): Promise<string> {
  const { status, json } = await ask('POST', `${endpoint}/run`, JSON.stringify({ input }));
  if (status !== 200) throw new Error(`/run was answered with ${status}: ${JSON.stringify(json)}`);
  return String(json.id);
}

/** Submits a job and reads its chunks until it has ended. */
export async function readAsRunPod(clients: Clients, endpoint: string, course: Course): Promise<Read> {
  const job = await submit(clients, endpoint, course);
  const events: Received[] = [];
  let rest = '';
  for (;;) {
    const { status, json } = await clients.ask('GET', `${endpoint}/stream/${job}`);
    if (status !== 200) throw new Error(`/stream was answered with ${status}: ${JSON.stringify(json)}`);
    const received = Date.now();
    const { status: of, stream } = json as unknown as Envelope;
    const texts = (rest + stream.map(({ output }) => output).join('')).split('\n\n');
    rest = texts.pop() ?? '';
    for (const text of texts) events.push({ ...(JSON.parse(text.slice(DATA.length)) as Event), received });
    if (of === 'IN_QUEUE' || of === 'IN_PROGRESS') continue;
    if (of !== 'COMPLETED') throw new Error(`Job ${job} is ${of}.`);
    return { job, events };
  }
}

/** Calls a path below `/openai` and reads the events of the response as they arrive. */
export async function readAsOpenAi(
  { jobApiUrl, apiKey }: Pick<Service, 'jobApiUrl' | 'apiKey'>,
  endpoint: string,
  course: Course,
): Promise<Read> {
  const response = await fetch(`${jobApiUrl}/${endpoint}/openai/v1/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...course, stream: true }),
  });
  if (!response.ok || !response.body) throw new Error(`The call was answered with ${response.status}.`);
  const events: Received[] = [];
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const received = Date.now();
    const texts = (rest + text).split('\n\n');
    rest = texts.pop() ?? '';
    const data = texts.filter((event) => event.startsWith(`${DATA}{`));
    for (const event of data) events.push({ ...(JSON.parse(event.slice(DATA.length)) as Event), received });
  }
  return { job: response.headers.get('X-Job-Id') ?? '', events };
}

/** @returns the fault in the events of a job, or undefined if each event arrived once and in order */
export function faultIn(job: string, count: number, events: readonly Event[]): string | undefined {
  const foreign = events.find((event) => event.job !== job);
  if (foreign) return `an event of job ${foreign.job} in the stream of job ${job}`;
  const wrong = events.findIndex(({ number }, n) => number !== n);
  if (wrong >= 0) return `event ${events[wrong]?.number} instead of ${wrong} of job ${job}`;
  return events.length === count ? undefined : `${events.length} events instead of ${count} of job ${job}`;
}
