/** A client that reads the stream of one job. */
import type { Clients } from '../waits/clients.ts';

/** An event as it reached the reader. Times are milliseconds since the epoch. */
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

/** @returns the events, in the order in which they came */
export async function readStream({ ask }: Clients, endpoint: string, job: string): Promise<Received[]> {
  const events: Received[] = [];
  let rest = '';
  for (;;) {
    const { status, json } = await ask('GET', `${endpoint}/stream/${job}`);
    if (status !== 200) throw new Error(`/stream was answered with ${status}: ${JSON.stringify(json)}`);
    const received = Date.now();
    const { status: of, stream } = json as unknown as Envelope;
    const texts = (rest + stream.map(({ output }) => output).join('')).split('\n\n');
    rest = texts.pop() ?? '';
    for (const text of texts) events.push({ ...(JSON.parse(text.slice(DATA.length)) as Event), received });
    if (of === 'IN_QUEUE' || of === 'IN_PROGRESS') continue;
    if (of !== 'COMPLETED') throw new Error(`Job ${job} is ${of}.`);
    return events;
  }
}

/** @returns what is wrong with the events of a job; undefined if each is there once and in order */
export function faultIn(job: string, count: number, events: readonly Event[]): string | undefined {
  const foreign = events.find((event) => event.job !== job);
  if (foreign) return `an event of job ${foreign.job} in the stream of job ${job}`;
  const wrong = events.findIndex(({ number }, n) => number !== n);
  if (wrong >= 0) return `event ${events[wrong]?.number} in place of ${wrong} of job ${job}`;
  return events.length === count ? undefined : `${events.length} events in place of ${count} of job ${job}`;
}
