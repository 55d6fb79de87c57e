/** `npm run console:pictures`: a picture of every screen of the console in each of its states, in both themes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newStateDir, startService, stopService } from '../../acceptance/local-service.ts';
import { openBrowser } from '../chromium.ts';
import { states } from './all.ts';
import { inParallel } from './parallel.ts';
import { createSessions, show, themes } from './show.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'dist/pictures' }, only: { type: 'string', default: '' } },
});

mkdirSync(values.out, { recursive: true });
const service = await startService(newStateDir());
const browser = await openBrowser();
const sessionOf = createSessions(browser, service);
const { origin } = new URL(service.JobApiUrl);
const began = Date.now();
const wanted = states.filter(({ name }) => name.startsWith(values.only));
await inParallel(wanted, async (state) => {
  try {
    const shown = await show(browser, origin, await sessionOf(state.role ?? 'admin'), state);
    for (const theme of themes) {
      await shown.become(theme);
      await shown.page.screenshot({
        path: join(values.out, `${state.name}-${theme}.png`),
        fullPage: true,
        animations: 'disabled',
      });
    }
    for (const problem of shown.problems()) console.error(`${state.name}: ${problem}`);
    await shown.close();
  } catch (error) {
    console.error(`${state.name}: ${String(error).slice(0, 600)}`);
  }
});
console.log(`${wanted.length} states in ${themes.length} themes, ${Math.round((Date.now() - began) / 1000)} s`);
await browser.close();
await stopService(service);
