/**
 * `npm run pictures -w packages/console`: takes a picture of every screen of the console in each of its states, light and dark.
 * With `--docs` it takes only the pictures of README.md and docs/, into docs/pictures.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser } from '../chromium.ts';
import { newStateDir, startService, stopService } from '../service.ts';
import { states } from './all.ts';
import { documented, FOLDER, MAX_BYTES } from './documented.ts';
import { inParallel } from './parallel.ts';
import type { State } from './screen.ts';
import { createSessions, type Shown, show, themes } from './show.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/pictures' },
    docs: { type: 'boolean', default: false },
    /** Only states whose names begin with this text are taken. */
    only: { type: 'string', default: '' },
  },
});

/** Fixed, because some pictures show the address of the service. */
const PORT = 3000;

/** Scrolls to the top of the page, regardless of the control with the focus. */
const TOP = 'scrollTo(0, 0)';

async function takeDocumented({ page, become }: Shown, state: State): Promise<void> {
  for (const { theme, file, top, height } of documented.filter((one) => one.state === state.name)) {
    await become(theme);
    const path = join(folder, file);
    await page.screenshot({
      path,
      clip: { x: 0, y: top, width: 1400, height },
      fullPage: true,
      animations: 'disabled',
    });
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; the limit is ${MAX_BYTES}.`);
  }
}

const taken = states.filter(({ name }) =>
  values.docs ? documented.some(({ state }) => state === name) : name.startsWith(values.only),
);
const folder = values.docs ? FOLDER : values.out;
mkdirSync(folder, { recursive: true });
const service = await startService(newStateDir(), { port: PORT });
const browser = await openBrowser();
const sessionOf = createSessions(browser, service);
const problems: string[] = [];

async function take(state: State): Promise<void> {
  const shown = await show(browser, new URL(service.JobApiUrl).origin, await sessionOf(state.role ?? 'admin'), state);
  await shown.page.evaluate(TOP);
  for (const theme of values.docs ? [] : themes) {
    await shown.become(theme);
    const path = join(folder, `${state.name}-${theme}.png`);
    await shown.page.screenshot({ path, fullPage: true, animations: 'disabled' });
  }
  if (values.docs) await takeDocumented(shown, state);
  problems.push(...shown.problems().map((problem) => `${state.name}: ${problem}`));
  await shown.close();
}

try {
  await inParallel(taken, (state) =>
    take(state).catch((error: unknown) => void problems.push(`${state.name}: ${String(error)}`)),
  );
} finally {
  await browser.close();
  await stopService(service);
}
console.log(`${taken.length} states: ${folder}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
