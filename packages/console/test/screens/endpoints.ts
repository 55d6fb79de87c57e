/** Example endpoints of a platform team: some with problems, others without. */
import type { Endpoint, Health, Release } from '../../api/management-types.ts';
import { ago, DAY, HOUR, MINUTE } from './clock.ts';

interface Facts {
  readonly jobs?: Partial<Health['jobs']>;
  readonly workers?: Partial<Health['workers']>;
  readonly wait?: Pick<Health, 'waitReason' | 'waitDetail'>;
  readonly release?: Release;
  readonly version?: number;
  readonly more?: Partial<Endpoint>;
}

const released = (version: number): Release => ({
  state: 'COMPLETED',
  version,
  revision: version + 4,
  startedAt: ago(2 * DAY),
  endedAt: ago(2 * DAY - 3 * MINUTE),
});

/** Hourly price of a worker in US dollars, by endpoint. Endpoints on Spot have no price. */
const prices: Readonly<Record<string, number>> = {
  sdxl: 1.006,
  whisper: 1.006,
  'llama-70b': 5.672,
  embeddings: 0.526,
  chat: 1.212,
  tts: 0.526,
  echo: 0.0494,
};

export function endpoint(id: string, { jobs, workers, wait, release, version = 7, more }: Facts = {}): Endpoint {
  const hour = prices[id];
  return {
    id,
    image: `registry.example.com/team/${id}:1.4.2`,
    template: { id: `team-${id}`, name: `Team ${id}`, version },
    minWorkers: 0,
    maxWorkers: 8,
    executionTimeout: 600_000,
    ...(hour !== undefined && { workerPrice: { hour, region: 'us-east-1', date: '2026-08-21' } }),
    release: release ?? released(version),
    health: {
      jobs: { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0, ...jobs },
      workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0, ...workers },
      ...wait,
    },
    ...more,
  };
}

const noCapacity = {
  waitReason: 'NO_CAPACITY',
  waitDetail: `The provider has no capacity for a worker: RESOURCE:GPU. Since ${ago(31 * MINUTE)}.`,
} as const;

const noImage = {
  waitReason: 'IMAGE_UNAVAILABLE',
  waitDetail:
    'An image of the worker cannot be pulled: CannotPullContainerError: failed to resolve ref ' +
    `registry.example.com/team/whisper:1.4.2: not found. Since ${ago(9 * MINUTE)}. The endpoint backs off: ` +
    `it starts one worker at ${ago(-2 * MINUTE)}.`,
} as const;

export const rolledBack: Release = {
  state: 'ROLLED_BACK',
  version: 9,
  revision: 31,
  startedAt: ago(2 * HOUR),
  endedAt: ago(2 * HOUR - 4 * MINUTE),
  reason: 'Workers end before their container has asked for a job: Essential container in task exited with code 137.',
};

export const underWay: Release = { state: 'IN_PROGRESS', version: 3, revision: 8, startedAt: ago(2 * MINUTE) };

export const sdxl = endpoint('sdxl', {
  jobs: { inQueue: 412, inProgress: 3, completed: 120_482, failed: 312, retried: 17 },
  workers: { ready: 3, running: 3, throttled: 5 },
  wait: noCapacity,
});

/** Endpoint whose workers all have a job. */
export const tts = endpoint('tts', {
  jobs: { inQueue: 9, inProgress: 8, completed: 9001, failed: 20, retried: 1 },
  workers: { ready: 8, running: 8 },
});

export const embeddings = endpoint('embeddings', {
  jobs: { inProgress: 2, completed: 5021, failed: 1 },
  workers: { ready: 3, running: 2, idle: 1 },
  release: rolledBack,
});

export const chat = endpoint('chat', {
  jobs: { inProgress: 4, completed: 77_310, failed: 12, retried: 3 },
  workers: { ready: 5, running: 4, idle: 1 },
  release: underWay,
  version: 3,
  more: {
    minWorkers: 1,
    maxWorkers: 5,
    examples: [
      { name: 'Short question', input: { prompt: 'Why is the sky blue?', max_tokens: 60, stream: true } },
      { name: 'Chat', input: { messages: [{ role: 'user', content: 'Hello' }], temperature: 0.7 } },
    ],
  },
});

/** Endpoints of the overview. */
export const endpoints: readonly Endpoint[] = [
  sdxl,
  endpoint('whisper', { jobs: { inQueue: 6, completed: 90 }, workers: { unhealthy: 1 }, wait: noImage }),
  endpoint('llama-70b', {
    jobs: { inQueue: 1, completed: 1100, failed: 3 },
    workers: { initializing: 2 },
    version: 12,
  }),
  embeddings,
  chat,
  tts,
  endpoint('echo', { jobs: { completed: 12 }, workers: { ready: 1, idle: 1 }, version: 1 }),
  endpoint('captioner', { jobs: { completed: 3 }, more: { maxWorkers: 1 } }),
];
