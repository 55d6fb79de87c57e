/** Removes what the tests leave in the deployment. */
import { setTimeout as delay } from 'node:timers/promises';
import { INTERRUPTED } from '../terminal.ts';
import type { Suite } from './suite.ts';

/** Maximum number of concurrent requests of /cancel. */
const AT_ONCE = 20;

/** Cancels the jobs that have not ended, and deletes the templates. */
async function cleanUp({ ask, askAt, made }: Suite): Promise<void> {
  const jobs = [...made.jobs];
  for (let n = 0; n < jobs.length; n += AT_ONCE)
    await Promise.all(jobs.slice(n, n + AT_ONCE).map((id) => ask('POST', `cancel/${id}`)));
  for (const id of made.templates) {
    const { status, headers } = await askAt('management', 'DELETE', `/templates/${id}`);
    if (status !== 429) continue;
    await delay(1_000 * Number(headers.get('retry-after')));
    await askAt('management', 'DELETE', `/templates/${id}`);
  }
}

/** Cleans up, and prints why that fails. The rows hold nevertheless. */
export const cleanUpAfterTests = (suite: Suite): Promise<void> =>
  cleanUp(suite).catch((error: Error) => console.error(`Jobs or templates of the tests remain: ${error.message}`));

/** Cleans up and ends the process when its parent disconnects, which Ctrl-C causes. */
export function endAtDisconnect(suite: Suite): void {
  // Ctrl-C at a terminal reaches this process too. Its parent decides.
  process.on('SIGINT', () => undefined);
  process.once('disconnect', async () => {
    await cleanUpAfterTests(suite);
    process.exit(INTERRUPTED);
  });
  // The listener does not keep the process alive.
  process.channel?.unref();
}
