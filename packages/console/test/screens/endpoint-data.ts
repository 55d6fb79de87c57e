/** What the screens of an endpoint show: its workers, releases, failed webhooks, settings and drift. */
import type { WebhookList } from '../../api/job-types.ts';
import type { EndpointDetails, EndpointEvent, ReleaseList, TemplateInUse, Worker } from '../../api/management-types.ts';
import { ago, DAY, HOUR, jobId, MINUTE, workerId } from './clock.ts';
import { timelineFrom } from './ended.ts';
import { chat, rolledBack } from './endpoints.ts';

const worker = (number: number, facts: Partial<Worker>): Worker => ({
  id: workerId(number),
  state: 'RUNNING',
  readySince: ago(HOUR),
  seenAt: ago(2000 + 700 * number),
  revision: 11,
  template: 'team-sdxl',
  version: 7,
  jobs: [],
  retiring: false,
  completed: 0,
  failed: 0,
  ...facts,
});

export const workers = [
  worker(0, { jobs: [jobId(51_000)] }),
  worker(1, { state: 'IDLE', since: ago(MINUTE), revision: 10, version: 6, retiring: true }),
  worker(2, {
    state: 'UNHEALTHY',
    since: ago(40_000),
    readySince: ago(2 * HOUR),
    seenAt: ago(70_000),
    jobs: [jobId(98_000)],
  }),
  worker(3, { state: 'THROTTLED', unprotected: 'WAITS' }),
  worker(4, {
    jobs: [jobId(61_000), jobId(63_000)],
    unprotected: 'WORKS',
    completed: 302,
    failed: 3,
    timeline: timelineFrom(HOUR),
  }),
];

export const starting: Worker = {
  id: workerId(5),
  state: 'INITIALIZING',
  seenAt: ago(3000),
  revision: 11,
  template: 'team-sdxl',
  version: 7,
  jobs: [],
  retiring: false,
  completed: 0,
  failed: 0,
};

export const releases: ReleaseList['releases'] = [
  { ...rolledBack, template: 'team-embeddings' },
  {
    state: 'COMPLETED',
    version: 8,
    revision: 30,
    template: 'team-embeddings',
    startedAt: ago(DAY),
    endedAt: ago(DAY - 4 * MINUTE),
  },
  {
    state: 'SUPERSEDED',
    version: 7,
    revision: 29,
    template: 'team-embeddings',
    startedAt: ago(DAY + HOUR),
    endedAt: ago(DAY + HOUR - 90_000),
  },
  { state: 'COMPLETED' },
];

/** The change that led to the release that was rolled back. */
export const changed: EndpointEvent = {
  kind: 'TEMPLATE',
  at: ago(2 * HOUR + MINUTE),
  template: 'team-embeddings',
  version: 9,
  fields: ['imageName', 'env'],
  detail: 'Smaller image',
  by: { kind: 'key', id: '9f2c41d07a3b', name: 'deploy-bot' },
};

export const webhooks: WebhookList = {
  webhooks: [
    { lastStatus: 503, resent: 0, receiver: 'https://hooks.example.com' },
    { lastError: 'TIMEOUT: no response within 10 s', resent: 1, receiver: 'https://ci.example.org:8443' },
    { lastError: 'TLS: certificate has expired', resent: 0 },
  ].map((facts, number) => ({
    id: jobId((9 + 4 * number) * MINUTE),
    completion: 1,
    webhookId: `msg_${number}`,
    failedAt: ago((5 + 4 * number) * MINUTE),
    attempts: 8,
    ...facts,
  })),
};

/** Only the list of endpoints has what happened lately. */
const { recent: _, ...single } = chat;
export const details: EndpointDetails = {
  ...single,
  category: 'NVIDIA',
  protocol: 'http',
  concurrency: 8,
  idleTimeout: 5 * MINUTE,
};

export const drifted: TemplateInUse = {
  id: 'team-chat',
  isPlatform: true,
  earned: 0,
  runtimeInMin: 0,
  version: 3,
  name: 'Team chat',
  imageName: 'registry.example.com/team/chat:1.4.2',
  containerDiskInGb: 60,
  volumeInGb: 0,
  volumeMountPath: '/workspace',
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: [],
  env: { DEBUG_3AM: '1', HF_TOKEN: '{{secrets:hugging-face}}', MODEL: 'mistral-small', SENTRY_DSN: '********' },
  ports: ['8000/http'],
  isPublic: false,
  readme: '',
  category: 'NVIDIA',
  isServerless: true,
  declaredIn: 'templates/chat.yaml',
  drift: [
    {
      field: 'env',
      declared: { HF_TOKEN: '{{secrets:hugging-face}}', MODEL: 'mistral-small', SENTRY_DSN: '********' },
      by: { kind: 'user', id: '0f3c', name: 'ada' },
      at: ago(HOUR),
    },
  ],
  endpoints: [{ id: 'chat' }],
};
