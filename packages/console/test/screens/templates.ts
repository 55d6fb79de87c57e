/** States of the template pages: the list, a template, and the forms. */
import type { Page } from 'playwright-core';
import type { Drift, ListedTemplate, Release, TemplateInUse } from '../../api/management-types.ts';
import { ago, DAY, HOUR, MINUTE, workerId } from './clock.ts';
import { rolledBack, underWay } from './endpoints.ts';
import { failed, held, ok, press, refused, type Screen } from './screen.ts';

const readme = `# Chat

Serves **Llama 3** with vLLM. See the [model card](https://example.com/card).

![Tokens per second](https://example.com/bench.png)

| GPU  | tokens/s |
| ---- | -------: |
| L4   |       41 |
| L40S |      118 |

## Input

\`\`\`json
{ "input": { "prompt": "Hello" } }
\`\`\`

> It needs 24 GB of memory on the GPU.

1. \`prompt\`: what to answer
2. \`max_tokens\`: 512 without it
`;

const listed = (id: string, changes: Partial<ListedTemplate> = {}): ListedTemplate => ({
  id,
  name: id,
  imageName: `registry.example.com/team/${id}:1.4.2`,
  category: 'NVIDIA',
  containerDiskInGb: 50,
  volumeInGb: 20,
  volumeMountPath: '/workspace',
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: [],
  env: {},
  ports: [],
  isPublic: false,
  isServerless: true,
  isPlatform: false,
  readme: '',
  earned: 0,
  runtimeInMin: 0,
  version: 1,
  ...changes,
});

const driftOfImage: readonly Drift[] = [
  {
    field: 'imageName',
    declared: 'registry.example.com/team/team-chat:1.4.1',
    by: { kind: 'user', id: '3f0c', name: 'ada' },
    at: ago(2 * HOUR),
    reason: 'Incident 7: crashes with long prompts',
  },
];

const list: readonly ListedTemplate[] = [
  listed('team-chat', { name: 'Chat', version: 3, runtimeInMin: 41_204, isPublic: true }),
  listed('team-sdxl', { name: 'Images', version: 7, runtimeInMin: 9120 }),
  listed('team-whisper', {
    name: 'Speech to text',
    imageName: `team/whisper@sha256:${'a1b2c3d4'.repeat(8)}`,
    version: 7,
  }),
  listed('team-flux', { name: 'Images on AMD', category: 'AMD', volumeInGb: 0 }),
  listed('echo', { name: 'Echo', category: 'CPU', isPlatform: true, isPublic: true, runtimeInMin: 312 }),
  listed('endpoint-chat', { declaredIn: 'endpoints/chat.yaml', drift: [...driftOfImage] }),
  listed('thumbnails', { name: 'Thumbnails', category: 'CPU', isPlatform: true, withdrawnAt: ago(3 * DAY) }),
];

const used = (endpoints: TemplateInUse['endpoints'], changes: Partial<TemplateInUse> = {}): TemplateInUse => ({
  ...listed('team-chat', { name: 'Chat', version: 3, runtimeInMin: 41_204, readme }),
  dockerStartCmd: ['serve', '--port', '8080', '--served-model-name', 'chat'],
  env: { MODEL: 'meta-llama/Meta-Llama-3-8B', HF_TOKEN: '{{secrets:HF_TOKEN}}', API_KEY: 'abc', MAX_TOKENS: '4096' },
  ports: ['8080/http'],
  endpoints,
  ...changes,
});

const complete: Release = {
  state: 'COMPLETED',
  version: 3,
  revision: 12,
  startedAt: ago(DAY),
  endedAt: ago(DAY - 3 * MINUTE),
};

const ONE = 'GET /v1/templates/team-chat';
const PATH = '/templates/team-chat';

const DECLARED_PATH = '/templates/endpoint-chat';
const drifted = used([{ id: 'chat', release: complete }], {
  id: 'endpoint-chat',
  name: 'endpoint-chat',
  declaredIn: 'endpoints/chat.yaml',
  drift: [
    ...driftOfImage,
    {
      field: 'env',
      declared: { MODEL: 'meta-llama/Meta-Llama-3-8B', HF_TOKEN: '{{secrets:HF_TOKEN}}', API_KEY: 'xyz' },
      by: { kind: 'key', id: '0a1b2c', name: 'ci' },
      at: ago(3 * DAY),
    },
  ],
});

const inUse = { [ONE]: ok<'TemplateInUse'>(used([{ id: 'chat', release: complete }])) };

const releasesOf = (first: Release) =>
  ok<'ReleaseList'>({
    releases: [
      { ...first, template: 'team-chat' },
      { ...complete, version: 2, revision: 7, template: 'team-chat' },
      {
        state: 'SUPERSEDED',
        version: 1,
        revision: 6,
        template: 'team-llama',
        startedAt: ago(2 * DAY),
        endedAt: ago(2 * DAY - HOUR),
      },
    ],
  });

const replaced = [8, 8, 7, 7, 7].map((revision, number) => ({
  id: workerId(number),
  state: 'RUNNING' as const,
  seenAt: ago(3000),
  revision,
  jobs: [],
  retiring: revision === 7,
  completed: 0,
  failed: 0,
}));

const field = (page: Page, name: string) => page.getByRole('textbox', { name });

const createLink = (page: Page) => page.getByRole('link', { name: 'Create template' });
const loading = (page: Page) => page.getByText('Loading templates').first();

async function review(page: Page): Promise<void> {
  await field(page, 'Container image').fill('registry.example.com/team/chat:1.5.0');
  await field(page, 'Value of variable 4').fill('meta-llama/Meta-Llama-3.1-8B');
  await press(page, 'Review changes');
}

export const templates: Screen = {
  name: 'templates',
  answers: {
    'GET /v1/templates': (url) =>
      ok<'TemplateList'>({
        templates: list.filter(({ category }) => category === (url.searchParams.get('category') ?? category)),
      }),
    ...inUse,
    'GET /v1/endpoints/*/releases': releasesOf(complete),
  },
  states: [
    { name: 'list', path: '/templates', shows: (page) => page.getByRole('link', { name: 'Chat', exact: true }) },
    { name: 'category', path: '/templates?category=CPU', shows: (page) => page.getByRole('link', { name: 'Echo' }) },
    {
      name: 'no-match',
      path: '/templates?search=zzz',
      shows: (page) => page.getByText('No template matches the filters.'),
    },
    {
      name: 'empty',
      path: '/templates',
      answers: { 'GET /v1/templates': ok<'TemplateList'>({ templates: [] }) },
      shows: (page) => page.getByText('No templates yet'),
    },
    { name: 'loading', path: '/templates', answers: { 'GET /v1/templates': held }, shows: loading },
    {
      name: 'error',
      path: '/templates',
      answers: { 'GET /v1/templates': failed },
      shows: (page) => page.getByRole('button', { name: 'Try again' }),
    },
    { name: 'one', path: PATH, shows: (page) => page.getByRole('heading', { name: 'Input' }) },
    {
      name: 'drift',
      path: DECLARED_PATH,
      answers: { [`GET /v1${DECLARED_PATH}`]: ok<'TemplateInUse'>(drifted) },
      shows: (page) => page.getByRole('heading', { name: 'Differs from Git' }),
    },
    {
      name: 'drift-review',
      path: DECLARED_PATH,
      answers: { [`GET /v1${DECLARED_PATH}`]: ok<'TemplateInUse'>(drifted) },
      act: (page) => press(page, 'Return to the file'),
      shows: (page) => page.getByRole('dialog', { name: 'Save these changes?' }),
    },
    {
      name: 'leaves-file',
      path: `${DECLARED_PATH}/edit`,
      answers: { [`GET /v1${DECLARED_PATH}`]: ok<'TemplateInUse'>(drifted) },
      act: review,
      shows: (page) => field(page, 'Reason'),
    },
    {
      name: 'unused',
      path: PATH,
      answers: { [ONE]: ok<'TemplateInUse'>(used([], { readme: '', env: {} })) },
      shows: (page) => page.getByText('No endpoint uses this template.'),
    },
    {
      name: 'one-loading',
      path: PATH,
      answers: { [ONE]: held },
      shows: (page) => page.getByRole('heading', { name: 'team-chat', level: 1 }),
    },
    {
      name: 'one-not-found',
      path: PATH,
      answers: { [ONE]: refused(404, 'TEMPLATE_NOT_FOUND', 'There is no template `team-chat`.') },
      shows: (page) => page.getByText('TEMPLATE_NOT_FOUND'),
    },
    {
      name: 'rollout',
      path: PATH,
      answers: {
        [ONE]: ok<'TemplateInUse'>(used([{ id: 'chat', release: underWay }])),
        'GET /v1/endpoints/*/releases': releasesOf(underWay),
        'GET /v1/endpoints/*/workers': ok<'WorkerList'>({ workers: replaced }),
      },
      shows: (page) => page.getByText('Rolling out: 2 of 5 workers replaced'),
    },
    {
      name: 'rolled-back',
      path: PATH,
      answers: {
        [ONE]: ok<'TemplateInUse'>(
          used([{ id: 'chat', release: rolledBack }, { id: 'chat-batch', release: complete }, { id: 'chat-eu' }]),
        ),
        'GET /v1/endpoints/*/releases': releasesOf(rolledBack),
      },
      shows: (page) => page.getByText('exited with code 137').first(),
    },
    {
      name: 'official',
      path: '/templates/echo',
      answers: {
        'GET /v1/templates/echo': ok<'TemplateInUse'>(
          used([], {
            id: 'echo',
            name: 'Echo',
            isPlatform: true,
            isPublic: true,
            category: 'CPU',
            withdrawnAt: ago(DAY),
          }),
        ),
      },
      shows: (page) => page.getByText('Withdrawn').first(),
    },
    {
      name: 'delete',
      path: PATH,
      act: (page) => press(page, 'Delete'),
      shows: (page) => page.getByRole('dialog', { name: 'Delete Chat?' }),
    },
    { name: 'new', path: '/templates/new', shows: (page) => field(page, 'Container image') },
    {
      name: 'new-errors',
      path: '/templates/new',
      answers: {
        'POST /v1/templates': refused(
          400,
          'INVALID_REQUEST',
          '`containerDiskInGb` must be a whole number from 1 to 16000, got 0; `volumeMountPath` must be an absolute path, got "work".',
        ),
      },
      act: async (page) => {
        await field(page, 'Name').first().fill('Painter');
        await field(page, 'Container image').fill('team/painter:1');
        await field(page, 'Container disk').fill('0');
        await press(page, 'Create template');
      },
      shows: (page) => page.getByText('Must be a whole number from 1 to 16000, got 0.'),
    },
    { name: 'edit', path: `${PATH}/edit`, shows: (page) => page.getByRole('heading', { name: 'Edit Chat' }) },
    {
      name: 'review',
      path: `${PATH}/edit`,
      answers: { [ONE]: ok<'TemplateInUse'>(used([{ id: 'chat', release: complete }, { id: 'chat-batch' }])) },
      act: review,
      shows: (page) => page.getByRole('dialog', { name: 'Save these changes?' }).getByText('chat-batch'),
    },
    {
      name: 'edit-official',
      path: '/templates/echo/edit',
      answers: {
        'GET /v1/templates/echo': ok<'TemplateInUse'>(used([], { id: 'echo', name: 'Echo', isPlatform: true })),
      },
      shows: (page) => page.getByText('This template cannot be changed here'),
    },
    {
      name: 'viewer',
      path: '/templates',
      role: 'viewer',
      act: (page) => page.getByRole('button', { name: 'Create template' }).or(createLink(page)).first().hover(),
      shows: (page) => page.getByText('Only users in the group "admin"').filter({ visible: true }).first(),
    },
  ],
};
