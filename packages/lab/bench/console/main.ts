/**
 * `npm run bench -w packages/lab -- console`: measures how soon pages of the console are painted, how long scripts
 * block them, and how smoothly they scroll.
 */
import type { Browser, Page } from 'playwright-core';
import { type Service, startService } from '../../../../test/support/service.ts';
import { openBrowser } from '../../../console/test/chromium.ts';
import { report } from '../command.ts';
import { type Clients, createClients } from '../waiting-calls/clients.ts';
import { withChunks, withJobs, withOutput } from './answers.ts';
import { frameTable, loadTable, type Table } from './figures.ts';
import { listsOf, measureFrames, measureLoad } from './measure.ts';
import { HELP, readOptions } from './options.ts';

/** Number of jobs that the endpoint gets, so that its pages have something to show. */
const JOBS = 30;

async function submitted({ ask }: Clients): Promise<string> {
  const { status, json } = await ask('POST', 'echo/run', '{"input":{"text":"hello"}}');
  if (status !== 200) throw new Error(`/run was answered with ${status}: ${JSON.stringify(json)}`);
  return String(json.id);
}

/**
 * Measures each subject once per run, one after the other, so that a slow minute of the machine affects all of
 * them.
 */
async function measured<Subject, Figures>(
  browser: Browser,
  runs: number,
  subjects: ReadonlyMap<string, Subject>,
  measure: (page: Page, subject: Subject) => Promise<Figures>,
): Promise<ReadonlyMap<string, readonly Figures[]>> {
  const figures = new Map<string, Figures[]>([...subjects.keys()].map((name) => [name, []]));
  for (let run = 1; run <= runs; run += 1)
    for (const [name, subject] of subjects) {
      report(`${name}, run ${run} of ${runs} ...`);
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
      context.setDefaultTimeout(STEP);
      figures.get(name)?.push(await measure(await context.newPage(), subject));
      await context.close();
    }
  return figures;
}

/** Time limit of a step on a busy machine, in milliseconds. */
const STEP = 60_000;

/** A path below `/console`, and a text that the loaded page shows. */
type Target = readonly [path: string, text: string];

/** @param id id of a job that has ended */
const pagesOf = (id: string) =>
  new Map<string, Target>([
    ['overview', ['/', 'All endpoints']],
    ['endpoint', ['/endpoints/echo', 'Older']],
    ['job', [`/endpoints/echo/jobs/${id}`, 'Completed']],
    ['playground', ['/endpoints/echo/playground', 'Valid JSON']],
    ['templates', ['/templates', 'Container image']],
    ['template', ['/templates/endpoint-echo', 'Releases']],
    ['keys', ['/keys', 'Create API key']],
    ['settings', ['/settings', 'Theme']],
  ]);

function print({ text, isMet }: Table): boolean {
  console.log(`${text}\n`);
  return isMet;
}

/**
 * Measures all subjects, and prints each table as soon as it is measured.
 * @returns whether all limits are met
 */
async function measureAll(service: Service, browser: Browser, runs: number): Promise<boolean> {
  const clients = createClients(service);
  let id = '';
  for (let n = 0; n < JOBS; n += 1) id = await submitted(clients);
  clients.stop();
  report('Building the console ...');
  await fetch(new URL('/console/', service.jobApiUrl));
  const load = (page: Page, [path, text]: Target) => measureLoad(page, service, path, text);
  const loads = await measured(browser, runs, pagesOf(id), load);
  const loadFigures = print(loadTable(loads));
  const lists = listsOf(id, { withJobs, withOutput, withChunks });
  const frames = await measured(browser, runs, lists, (page, list) => measureFrames(page, service, list));
  const frameFigures = print(frameTable(frames));
  return loadFigures && frameFigures;
}

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void console.log(HELP);
  report('Starting the service ...');
  const service = await startService();
  const browser = await openBrowser().catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  try {
    if (!(await measureAll(service, browser, options.runs))) process.exitCode = 1;
  } finally {
    await browser.close();
    await service.stop();
  }
}
