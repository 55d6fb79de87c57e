/**
 * Shows a state of a screen in a browser. The page comes from the service, and the responses come from the state.
 */
import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';
import { REPORT, trackUnanswered } from '../chromium.ts';
import type { LocalService } from '../service.ts';
import { type Role, signIn } from '../sign-in.ts';
import { NOW } from './clock.ts';
import { type Answers, held, type Reply, type State, unreachable } from './screen.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Milliseconds that a step can take on a busy machine. */
const STEP = 60_000;

/** Session storage of a tab whose user has signed in. */
type Session = readonly (readonly [string, string])[];

export interface Shown {
  readonly page: Page;
  /** Changes the theme of the page. */
  become(theme: Theme): Promise<void>;
  /** Returns the problems so far. */
  problems(): readonly string[];
  close(): Promise<void>;
}

const options = {
  viewport: { width: 1400, height: 900 },
  reducedMotion: 'reduce',
  timezoneId: 'UTC',
  locale: 'en-GB',
} as const;

/** Signs in as each role only once. Each state uses the session storage of that tab. */
export function createSessions(browser: Browser, service: LocalService): (role: Role) => Promise<Session> {
  const sessions = new Map<Role, Promise<Session>>();
  async function open(role: Role): Promise<Session> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP);
    await signIn(page, service, role);
    const entries = JSON.parse(
      await page.evaluate<string>('JSON.stringify(Object.entries(sessionStorage))'),
    ) as Session;
    await context.close();
    return entries;
  }
  return (role) => {
    const session = sessions.get(role) ?? open(role);
    sessions.set(role, session);
    return session;
  };
}

const matches = (pattern: string, call: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(call);

/**
 * Creates a function that replies to calls with the answers of a state. The function returns undefined for a call
 * without an answer.
 */
function createReplies(answers: Answers): (method: string, url: URL) => Reply | undefined {
  // Answers of the state follow those of its screen and take precedence.
  const entries = Object.entries(answers).toReversed();
  const times = new Map<string, number>();
  return (method, url) => {
    const [pattern, answer] = entries.find(([known]) => matches(known, `${method} ${url.pathname}`)) ?? ['', undefined];
    if (answer === undefined || typeof answer === 'string') return answer;
    if (typeof answer === 'function') return answer(url);
    if (!isList(answer)) return answer;
    const time = times.get(pattern) ?? 0;
    times.set(pattern, time + 1);
    return answer[Math.min(time, answer.length - 1)];
  };
}

const isList = (answer: Reply | readonly Reply[]): answer is readonly Reply[] => Array.isArray(answer);

/** Calls that the service itself answers. Its descriptions and its user are the same in all states. */
const OWN = ['/v1/session', '/v1/openapi.json', '/v2/openapi.json'];

interface Calls {
  /** Whether the request gets no response. */
  isHeld(request: Request): boolean;
  /** Whether the browser's message reports a call that the state refuses. */
  isRefused(message: string): boolean;
}

async function answerCalls(context: BrowserContext, answers: Answers, problem: (text: string) => void): Promise<Calls> {
  const replyTo = createReplies(answers);
  const statuses = new Set<number>();
  const heldOnes = new WeakSet<Request>();
  async function answer(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    const reply = replyTo(request.method(), url);
    if (reply === held) {
      heldOnes.add(request);
      return;
    }
    if (reply === unreachable) return route.abort('failed');
    if (reply === undefined) {
      if (OWN.includes(url.pathname)) return route.continue();
      problem(`The state has no answer to ${request.method()} ${url.pathname}.`);
      return route.abort('failed');
    }
    statuses.add(reply.status);
    const headers = { 'content-type': 'application/json', ...reply.headers };
    return route.fulfill({ status: reply.status, headers, body: reply.text });
  }
  await context.route(/\/v[12]\//, answer);
  return {
    isHeld: (request) => heldOnes.has(request),
    isRefused: (message) =>
      [...statuses].some((status) => status >= 400 && message.includes(`responded with a status of ${status}`)),
  };
}

/** Restores the session storage after a sign-in, with a token that does not expire at the time of the pictures. */
const restore = (session: Session) => `
  for (const [name, value] of ${JSON.stringify(session)}) {
    const user = name.startsWith('oidc.user') ? JSON.stringify({ ...JSON.parse(value), expires_at: 4e9 }) : value;
    if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, user);
  }`;

/** Number of consecutive checks without an open request after which the page counts as calm. */
const CALM = 3;

/** Waits for two frames, so that the responses are drawn. */
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/**
 * @returns a function that waits until the page is drawn and all requests are answered, except requests that the
 * state holds
 */
function createAnswered(page: Page, isHeld: (request: Request) => boolean): () => Promise<void> {
  const unanswered = trackUnanswered(page);
  return async () => {
    // A response can cause more requests.
    for (let calm = 0; calm < CALM; calm += 1) {
      if ([...unanswered].some((request) => !isHeld(request))) calm = 0;
      await page.evaluate(DRAWN);
    }
  };
}

/**
 * @param origin of the service
 * @param session session of the state's role
 */
export async function show(browser: Browser, origin: string, session: Session, state: State): Promise<Shown> {
  const context = await browser.newContext({ ...options, colorScheme: 'light' });
  const problems: string[] = [];
  const calls = await answerCalls(context, state.answers ?? {}, (text) => problems.push(text));
  await context.addInitScript(restore(session));
  await context.addInitScript(REPORT);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP);
  const answered = createAnswered(page, calls.isHeld);
  page.on('console', (message) => {
    const line = message.text();
    const isProblem = ['error', 'warning'].includes(message.type()) && !calls.isRefused(line);
    if (isProblem && !state.expected?.some((pattern) => pattern.test(line))) problems.push(line);
  });
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  await page.clock.setFixedTime(NOW);
  await page.goto(`${origin}/console${state.path}`);
  await state.act?.(page);
  await state.shows(page).waitFor();
  await answered();
  return {
    page,
    async become(theme) {
      await page.emulateMedia({ colorScheme: theme });
      await page.locator(`html[style*="color-scheme: ${theme}"]`).waitFor({ state: 'attached' });
      await answered();
    },
    problems: () => problems,
    close: () => context.close(),
  };
}
