/** Example endpoints of a platform team: some with problems, others without. */
import type { Endpoint, Health, Recent, Release } from '../../api/management-types.ts';
import { ago, DAY, HOUR, MINUTE, NOW } from './clock.ts';

interface Facts {
  readonly jobs?: Partial<Health['jobs']>;
  readonly workers?: Partial<Health['workers']>;
  readonly wait?: Pick<Health, 'waitReason' | 'waitDetail'>;
  readonly release?: Release;
  readonly version?: number;
  /** Jobs of the last hour, those of them that failed, webhooks that failed, dollars of today, and the p95 of waits. */
  readonly lately?: {
    ended: number;
    failed?: number;
    webhooks?: number;
    dollars?: number;
    p95?: number;
    /** Whether most jobs failed in the evening. */
    evening?: boolean;
  };
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

/** Jobs of each of the last hours in percent of those of the last one, as of a team that works by day. */
const DAILY = [
  40, 30, 25, 20, 20, 30, 60, 90, 120, 150, 160, 150, 140, 150, 160, 140, 120, 100, 90, 80, 90, 95, 100, 30,
];

function recentOf(lately: NonNullable<Facts['lately']>): Recent {
  const { ended, failed = 0, webhooks = 0, dollars = 0, p95, evening = false } = lately;
  const open = NOW - (NOW % HOUR);
  return {
    lastHour: { ended, failed, failedWebhooks: webhooks, ...(p95 !== undefined && { p95DelayTime: p95 }) },
    hours: DAILY.map((percent, index) => ({
      from: new Date(open - (DAILY.length - 1 - index) * HOUR).toISOString(),
      ended: Math.round((ended * percent) / 100),
      // The failures have begun three hours ago.
      failed:
        index >= DAILY.length - 3
          ? Math.round((failed * percent) / 100)
          : evening && index >= 12 && index < 19
            ? Math.round((ended * percent * 0.7) / 100)
            : 0,
    })).filter((hour) => hour.ended > 0),
    today: { dollars, unpricedTime: 0 },
    summedTo: ago(2 * MINUTE),
  };
}

export function endpoint(
  id: string,
  { jobs, workers, wait, release, version = 7, lately, more }: Facts = {},
): Endpoint {
  const hour = prices[id];
  return {
    id,
    image: `registry.example.com/team/${id}:1.4.2`,
    template: { id: `team-${id}`, name: `Team ${id}`, version },
    minWorkers: 0,
    maxWorkers: 8,
    executionTimeout: 600_000,
    ...(hour !== undefined && { workerPrice: { hour, region: 'us-east-1', date: '2026-08-21' } }),
    ...(lately && { recent: recentOf(lately) }),
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
  lately: { ended: 62, failed: 25, dollars: 31.1, p95: 184_000 },
});

/** Endpoint whose workers all have a job. */
export const tts = endpoint('tts', {
  jobs: { inQueue: 9, inProgress: 8, completed: 9001, failed: 20, retried: 1 },
  workers: { ready: 8, running: 8 },
  wait: { waitReason: 'WORKERS_BUSY' },
  lately: { ended: 840, failed: 2, dollars: 2.04, p95: 6400 },
});

export const embeddings = endpoint('embeddings', {
  jobs: { inProgress: 2, completed: 5021, failed: 1 },
  workers: { ready: 3, running: 2, idle: 1 },
  release: rolledBack,
  lately: { ended: 5021, failed: 1, dollars: 1.12, p95: 210 },
});

export const chat = endpoint('chat', {
  jobs: { inProgress: 4, completed: 77_310, failed: 12, retried: 3 },
  workers: { ready: 5, running: 4, idle: 1 },
  release: underWay,
  version: 3,
  lately: { ended: 1204, failed: 4, dollars: 9.83, p95: 1450 },
  more: {
    minWorkers: 1,
    maxWorkers: 5,
    examples: [
      { name: 'Short question', input: { prompt: 'Why is the sky blue?', max_tokens: 60, stream: true } },
      { name: 'Chat', input: { messages: [{ role: 'user', content: 'Hello' }], temperature: 0.7 } },
    ],
  },
});

const digest = '0123456789abcdef'.repeat(4);

/** Endpoints of the overview. */
export const endpoints: readonly Endpoint[] = [
  sdxl,
  endpoint('whisper', {
    jobs: { inQueue: 6, completed: 90 },
    workers: { unhealthy: 1 },
    wait: noImage,
    lately: { ended: 0, dollars: 0.4 },
  }),
  endpoint('llama-70b', {
    jobs: { inQueue: 1, completed: 1100, failed: 3 },
    workers: { initializing: 2 },
    version: 12,
    lately: { ended: 12, dollars: 11.3, p95: 96_000 },
    more: { image: `123456789012.dkr.ecr.us-east-1.amazonaws.com/cdk-assets-123456789012-us-east-1:${digest}` },
  }),
  embeddings,
  chat,
  tts,
  endpoint('echo', {
    jobs: { completed: 12 },
    workers: { ready: 1, idle: 1 },
    version: 1,
    lately: { ended: 12, webhooks: 22, dollars: 0.08, p95: 90 },
  }),
  endpoint('captioner', { jobs: { completed: 3 }, lately: { ended: 0 }, more: { maxWorkers: 1 } }),
  endpoint('music', {
    jobs: { inProgress: 1, completed: 210 },
    workers: { ready: 2, running: 1, idle: 1 },
    lately: { ended: 31, failed: 1, dollars: 0, p95: 2300, evening: true },
  }),
  endpoint('rerank', {
    jobs: { completed: 44_102 },
    workers: { ready: 2, idle: 2 },
    lately: { ended: 2210, failed: 1, dollars: 0.64, p95: 120 },
    more: { image: `registry.example.com/team/rerank@sha256:${digest}` },
  }),
  endpoint('upscale-video-to-4k-preview', { jobs: { completed: 8 }, lately: { ended: 2, dollars: 0, p95: 31_000 } }),
];
