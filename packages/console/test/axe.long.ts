/**
 * Checks every screen of the console in each state and both themes for accessibility and browser warnings, and that a phone
 * shows all of its text.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectBrowser, openBrowser, withBrowser } from './browser.ts';
import { states } from './screens/all.ts';
import { cutOn } from './screens/narrow.ts';
import { inParallel } from './screens/parallel.ts';
import type { State } from './screens/screen.ts';
import { createSessions, show, type Theme, themes } from './screens/show.ts';
import { type LocalService, newStateDir, sharedAssembly, startService, stopService } from './service.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Impacts that prevent some users from using the page. */
const SERIOUS = ['serious', 'critical'];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Runs all rules in the first theme. The second theme has the same elements, so only its colours are checked. */
const options = (theme: Theme) => ({
  resultTypes: ['violations'],
  // Preloading would request the style sheets again.
  preload: false,
  ...(theme !== themes[0] && { runOnly: ['color-contrast', 'link-in-text-block'] }),
});

/** Runs axe through the browser's debugger, because the page's content security policy refuses other scripts. */
async function violationsOf(page: Page, theme: Theme): Promise<readonly Violation[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${AXE} })()`);
  const call = `axe.run(document, ${JSON.stringify(options(theme))})`;
  const text = await page.evaluate<string>(`${call}.then(({ violations }) => JSON.stringify(violations))`);
  return JSON.parse(text) as Violation[];
}

/** Finds elements that HTML does not allow at their position. React reports them only in development builds. */
const MISPLACED = `[...document.querySelectorAll('p :is(div, p, ul, dl, table, pre, h1, h2, h3), :is(a, button) :is(a, button)')]
  .map(({ outerHTML, parentElement }) => parentElement.localName + ' > ' + outerHTML.slice(0, 200))`;

const written = ({ id, impact, help, nodes }: Violation) =>
  `${impact} ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' and ')}`;

interface Findings {
  readonly serious: string[];
  readonly misplaced: readonly string[];
  /** Text that a phone does not show. */
  readonly cut: readonly string[];
  /** Messages of the browser, and calls without an answer. */
  readonly problems: string[];
}

describe('every state of every screen in the light and dark themes', () => {
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

  it('is checked in Chromium if the browser is required', () => expectBrowser('the accessibility of the console'));

  it('has a unique name', () => {
    expect(new Set(states.map(({ name }) => name)).size).toBe(states.length);
  });

  it('can be shown', async () => {
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
      const cut = await cutOn(shown.page);
      found.set(state.name, { serious, misplaced, cut, problems: [...shown.problems()] });
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
    // Only a browser that hangs takes so long: each page has its own limits, and a busy machine needs ten minutes.
  }, 3_600_000);

  const all = (of: keyof Findings) =>
    Object.fromEntries([...found].map(([name, findings]) => [name, findings[of]]).filter(([, list]) => list?.length));

  it('has no serious or critical axe finding', () => {
    expect(all('serious')).toEqual({});
  });

  it('nests elements only as HTML allows', () => {
    expect(all('misplaced')).toEqual({});
  });

  it('shows all of its text on a phone, and does not scroll sideways', () => {
    expect(all('cut')).toEqual({});
  });

  it('causes no browser error or warning', () => {
    expect(all('problems')).toEqual({});
  });
});
