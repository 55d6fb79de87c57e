/**
 * The process of the emulators, a child of `emulators.ts`. It exits after its parent, even if the parent is killed,
 * because the channel between them closes. Before it exits, it kills the other processes of the run, above all
 * tasks, which would otherwise keep calling stopped emulators.
 *
 *     node packages/emulator/emulators/emulators-process.ts STATE_DIR     with a channel to the parent
 */
import { join } from 'node:path';
import { LocalError } from '../local-error.ts';
import { endMarkedProcesses } from '../state/processes.ts';
import { openStreamJournal, type StreamJournal } from '../streams/journal.ts';
import { compactDatabase } from './compact.ts';
import { DATABASE, dynoxideVersion, startDynoxide } from './dynoxide.ts';
import type { EmulatorsReport, JournalAnswer, JournalRequest } from './emulators.ts';
import { startFauxqs } from './fauxqs.ts';

const [stateDir = ''] = process.argv.slice(2);
const parent = process.ppid;

async function answer(journal: StreamJournal, { id, call }: JournalRequest): Promise<JournalAnswer> {
  try {
    if ('trim' in call) await journal.trim(...call.trim);
    else await journal.announceExpiry(...call.announceExpiry);
    return { id };
  } catch (error) {
    return { id, error: String(error) };
  }
}

async function start(): Promise<EmulatorsReport> {
  const database = join(stateDir, DATABASE);
  compactDatabase(database);
  const [queues, tables] = await Promise.all([startFauxqs(join(stateDir, 'sqs')), startDynoxide(database)]);
  const journal = openStreamJournal(database, dynoxideVersion());
  process.on('message', async (request: JournalRequest) => {
    const done = await answer(journal, request);
    if (process.connected) process.send?.(done);
  });
  tables.process.once('exit', (code, signal) => {
    console.error(`The DynamoDB emulator exited: ${code ?? signal}.`);
    process.exit(1);
  });
  process.once('disconnect', async () => {
    tables.process.removeAllListeners('exit');
    await endMarkedProcesses(stateDir, parent);
    journal.close();
    queues.close();
    process.exit(0);
  });
  // One address serves queues and buckets.
  return { sqsUrl: queues.url, s3Url: queues.url, dynamodbUrl: tables.url };
}

const report = await start().catch((error: unknown): EmulatorsReport => {
  console.error(error);
  return { failure: error instanceof LocalError ? error.message : `The emulators did not start: ${error}` };
});
if (process.connected) process.send?.(report);
if ('failure' in report || !process.connected) process.exit(1);
