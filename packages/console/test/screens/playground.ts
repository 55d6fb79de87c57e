/** States of the playground: typed input, a run that is being sent, and its result. */
import type { Page } from 'playwright-core';
import { writeInput } from '../write-input.ts';
import { chat } from './endpoints.ts';
import { completed, failed as failedJob, ID, log, running } from './jobs.ts';
import { type Answer, held, ok, press, refused, type Screen, text, tooMany } from './screen.ts';

const CHAT_PATH = '/endpoints/chat/playground';
const PATH = `${CHAT_PATH}?as=json`;
const STATUS = `GET /v2/chat/status/${ID}`;
const STREAM = `GET /v2/chat/stream/${ID}`;

/** A piece of a streamed answer. */
const pieceOf = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });

const editor = (page: Page) => page.getByRole('textbox', { name: 'Input as JSON' });

async function takeExample(page: Page): Promise<void> {
  await page.locator('.cm-content').waitFor();
  await press(page, /^Example/);
  await page.getByRole('option', { name: 'Short question' }).click();
  await page.getByText('Why is the sky blue?').first().waitFor();
}

async function run(page: Page): Promise<void> {
  await takeExample(page);
  await press(page, 'Run');
}

const MODELS = 'GET /v2/chat/openai/v1/models';
const COMPLETIONS = 'POST /v2/chat/openai/v1/chat/completions';

const streamed: Answer = {
  status: 200,
  text: [...['Because air scatters ', 'short waves more than long ones.\n\n', 'Blue is short.'].map(pieceOf), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join(''),
  headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-job-id': ID },
};

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Why is the sky blue?');
  await page.keyboard.press('Enter');
}

const validJson = (page: Page) => page.getByText('Valid JSON');

export const playground: Screen = {
  name: 'playground',
  answers: {
    'GET /v1/endpoints': ok<'EndpointList'>({ endpoints: [chat] }),
    'POST /v2/chat/run': ok<'Acknowledgement'>({ id: ID, status: 'IN_QUEUE' }),
    [STATUS]: ok<'JobRecord'>(completed),
    [STREAM]: ok<'Drain'>({ status: 'COMPLETED', stream: [] }),
    [`GET /v2/chat/logs/${ID}`]: ok<'JobLog'>(log),
  },
  states: [
    { name: 'chat', path: CHAT_PATH, shows: (page) => page.getByRole('log', { name: 'Conversation' }) },
    {
      name: 'chat-answer',
      path: `${CHAT_PATH}?code=python`,
      answers: { [MODELS]: text('{"data": [{"id": "llama-3-8b"}]}'), [COMPLETIONS]: streamed },
      act: ask,
      shows: (page) => page.locator('.chat-text').filter({ hasText: 'Blue is short.' }),
    },
    {
      name: 'chat-waiting',
      path: CHAT_PATH,
      answers: { [MODELS]: held },
      act: ask,
      shows: (page) => page.getByText('Waiting for the answer'),
    },
    {
      name: 'chat-failed',
      path: CHAT_PATH,
      answers: {
        [MODELS]: {
          status: 404,
          text: '{"error": {"message": "No such route.", "type": "invalid_request_error", "param": null, "code": "not_found"}}',
        },
      },
      act: ask,
      shows: (page) => page.getByText('No such route.'),
    },
    { name: 'new', path: PATH, act: (page) => page.locator('.cm-content').waitFor(), shows: validJson },
    { name: 'example', path: PATH, act: takeExample, shows: validJson },
    {
      name: 'form',
      path: `${CHAT_PATH}?as=form`,
      act: async (page) => {
        await press(page, /^Example/);
        await page.getByRole('option', { name: 'Short question' }).click();
      },
      shows: (page) => page.getByRole('textbox', { name: 'max_tokens' }),
    },
    {
      name: 'invalid',
      path: PATH,
      act: (page) => writeInput(page, '{\n  "prompt": "Why is the sky blue?",\n  "max_tokens": 60,\n}'),
      shows: (page) => page.getByRole('button', { name: 'Go to the error' }),
    },
    {
      name: 'options',
      path: PATH,
      act: async (page) => {
        await page.locator('.cm-content').waitFor();
        await page.getByRole('button', { name: /Policy and webhook/ }).click();
        await page.getByRole('textbox', { name: 'executionTimeout, ms' }).fill('soon');
      },
      shows: (page) => page.getByText('The code appears here when the input is valid.'),
    },
    {
      name: 'python',
      path: `${PATH}&code=python`,
      act: async (page) => {
        await page.locator('.cm-content').waitFor();
        await press(page, /^Example/);
        await page.getByRole('option', { name: 'Chat' }).click();
      },
      shows: (page) => page.getByText('requests.post'),
    },
    {
      name: 'sending',
      path: PATH,
      answers: { 'POST /v2/chat/run': held },
      act: run,
      shows: (page) => page.getByText('Sending the job'),
    },
    {
      name: 'running',
      path: PATH,
      answers: {
        [STATUS]: ok<'JobRecord'>(running),
        [STREAM]: [
          ok<'Drain'>({
            status: 'IN_PROGRESS',
            stream: ['Air scatters ', 'short waves '].map((word, index) => ({
              output: word,
              metrics: { stream_index: index, running: 1 },
            })),
          }),
          ok<'Drain'>({ status: 'IN_PROGRESS', stream: [] }),
        ],
      },
      act: run,
      shows: (page) => page.getByText('2 chunks so far'),
    },
    { name: 'result', path: PATH, act: run, shows: (page) => page.locator('.json-editor .cm-line').first() },
    {
      name: 'search',
      path: PATH,
      act: async (page) => {
        await run(page);
        await press(page, 'Search');
        await page.getByRole('textbox', { name: 'Find' }).pressSequentially('token');
      },
      shows: (page) => page.locator('.cm-searchMatch').first(),
    },
    {
      name: 'failed',
      path: PATH,
      answers: { [STATUS]: ok<'JobRecord'>(failedJob) },
      act: run,
      shows: (page) => page.getByText('Failed: WORKER_ERROR'),
    },
    {
      name: 'too-many-requests',
      path: PATH,
      answers: { 'POST /v2/chat/run': tooMany },
      act: run,
      shows: (page) => page.getByText('You can run the next job in'),
    },
    {
      name: 'refused',
      path: PATH,
      answers: {
        'POST /v2/chat/run': refused(400, 'INVALID_REQUEST', '`input` must be an object with at least one member.'),
      },
      act: run,
      shows: (page) => page.getByText('INVALID_REQUEST'),
    },
    {
      name: 'input-of-job',
      path: `${PATH}&input-of=${ID}`,
      answers: { [`GET /v2/chat/input/${ID}`]: text('{"prompt": "Why is the sky blue?", "seed": 9007199254740993}') },
      shows: (page) => page.getByRole('button', { name: 'Restore the previous input' }),
    },
    {
      name: 'viewer',
      path: PATH,
      role: 'viewer',
      act: (page) => editor(page).waitFor(),
      shows: (page) => page.getByText('Only users in the group "operator"').filter({ visible: true }).first(),
    },
  ],
};
