/**
 * Every screen of the console in each of its states and in both themes: readable for all, and without a complaint of
 * the browser.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { type LocalService, newStateDir, startService, stopService } from '../acceptance/local-service.ts';
import { expectBrowser, openBrowser, withBrowser } from './browser.ts';
import { states } from './screens/all.ts';
import { inParallel } from './screens/parallel.ts';
import type { State } from './screens/screen.ts';
import { createSessions, show, type Theme, themes } from './screens/show.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Impacts that keep a user from using the page. */
const SERIOUS = ['serious', 'critical'];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** All rules in the first theme. The other has the same elements in other colours. */
const options = (theme: Theme) => ({
  resultTypes: ['violations'],
  // It would ask for the files of styles again.
  preload: false,
  ...(theme !== themes[0] && { runOnly: ['color-contrast', 'link-in-text-block'] }),
});

/** Runs axe by the debugger of the browser: the policy of the page lets no other script in. */
async function violationsOf(page: Page, theme: Theme): Promise<readonly Violation[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${AXE} })()`);
  const call = `axe.run(document, ${JSON.stringify(options(theme))})`;
  const text = await page.evaluate<string>(`${call}.then(({ violations }) => JSON.stringify(violations))`);
  return JSON.parse(text) as Violation[];
}

/** Elements that HTML does not allow where they are. React says so in a build for development alone. */
const MISPLACED = `[...document.querySelectorAll('p :is(div, p, ul, dl, table, pre, h1, h2, h3), :is(a, button) :is(a, button)')]
  .map(({ outerHTML, parentElement }) => parentElement.localName + ' > ' + outerHTML.slice(0, 200))`;

const written = ({ id, impact, help, nodes }: Violation) =>
  `${impact} ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' and ')}`;

interface Findings {
  readonly serious: string[];
  readonly misplaced: readonly string[];
  /** Of the browser, and calls without an answer. */
  readonly problems: string[];
}

describe('every screen in every state, light and dark', () => {
  let service: LocalService;
  let browser: Browser | undefined;
  const found = new Map<string, Findings>();

  beforeAll(async () => {
    if (!withBrowser) return;
    service = await startService(newStateDir(), { args: ['--assembly', await sharedAssembly()] });
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    if (service) await stopService(service);
  });

  it('has a Chromium where it is tested', () => expectBrowser('what axe says of the console'));

  it('has a name of its own', () => {
    expect(new Set(states.map(({ name }) => name)).size).toBe(states.length);
  });

  it('is shown', async () => {
    if (!browser) return;
    const opened = browser;
    const sessionOf = createSessions(opened, service);
    const { origin } = new URL(service.JobApiUrl);
    const began = Date.now();
    async function look(state: State): Promise<void> {
      const shown = await show(opened, origin, await sessionOf(state.role ?? 'admin'), state);
      const serious: string[] = [];
      for (const theme of themes) {
        await shown.become(theme);
        const violations = await violationsOf(shown.page, theme);
        serious.push(
          ...violations.filter(({ impact }) => SERIOUS.includes(impact)).map((one) => `${theme}: ${written(one)}`),
        );
      }
      const misplaced = await shown.page.evaluate<string[]>(MISPLACED);
      found.set(state.name, { serious, misplaced, problems: [...shown.problems()] });
      await shown.close();
    }
    const missing: string[] = [];
    await inParallel(states, (state) =>
      look(state).catch((error: unknown) => void missing.push(`${state.name}: ${String(error)}`)),
    );
    const count = [...found.values()].flatMap(({ serious }) => serious).length;
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`axe: ${states.length} states in ${themes.length} themes, ${count} serious findings, ${seconds} s`);
    expect(missing).toEqual([]);
  }, 600_000);

  const all = (of: keyof Findings) =>
    Object.fromEntries([...found].map(([name, findings]) => [name, findings[of]]).filter(([, list]) => list?.length));

  it('has no serious or critical finding of axe', () => {
    expect(all('serious')).toEqual({});
  });

  it('has elements only where HTML allows them', () => {
    expect(all('misplaced')).toEqual({});
  });

  it('causes no complaint of the browser', () => {
    expect(all('problems')).toEqual({});
  });
});
