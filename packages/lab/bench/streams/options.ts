import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- streams [options]

Starts the service as \`npm start\` does, with a worker of RunPod's Python SDK that streams events at a fixed rate.
Reads the streams as RunPod's clients do, one call of \`/stream\` after the other, or as OpenAI's clients do. Prints
how long it takes from the creation of an event to its reader, and the writes and reads of streams. Fails if an
event is lost, duplicated or out of order, if the first event of a single stream takes more than 120 ms at the
median, or if the events of one stream take more than 100 ms at the median, or those of two to eight streams more
than 200 ms. Needs a Python that can create virtual environments.

  --by CLIENT         runpod or openai (default: openai)
  --streams N,N,...   numbers of parallel streams, one measurement each (default: 1,8,20)
  --seconds N         duration of each stream in seconds (default: 20)
  --rate N            events per second of each stream (default: 50)
  --help              print this help
`;

const clients = ['runpod', 'openai'] as const;

export interface Options {
  readonly help: boolean;
  /** The kind of client that reads the streams. */
  readonly by: (typeof clients)[number];
  readonly streams: readonly number[];
  readonly seconds: number;
  readonly rate: number;
}

const flags = {
  by: { type: 'string', default: 'openai' },
  streams: { type: 'string', default: '1,8,20' },
  seconds: { type: 'string', default: '20' },
  rate: { type: 'string', default: '50' },
  help: { type: 'boolean', default: false },
} as const;

function clientFrom(name: string): Options['by'] {
  const client = clients.find((known) => known === name);
  if (client) return client;
  throw new Error(`--by must be ${clients.join(' or ')}, got ${name}.`);
}

/** @throws Error for an unknown flag or client, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, by, streams, seconds, rate } = readFlags('bench -w packages/lab -- streams', flags, args);
  return {
    help,
    by: clientFrom(by),
    streams: streams.split(',').map((text) => numberFrom('streams', text, 32)),
    seconds: numberFrom('seconds', seconds, 60),
    rate: numberFrom('rate', rate, 200),
  };
}
