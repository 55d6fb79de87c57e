/** Compares the stored items with the recording of the current schema version (docs/adr/0016). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCHEMA_VERSION } from '../../core/schema-version.ts';
import { TABLES } from '../emulated-deployment.ts';
import { ENDPOINT, storeAll } from './history.ts';
import { addRecording, newestOf, type Recording, readRecording, recordAll, shapeOf } from './recording.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;
let present: Recording;

beforeAll(async () => {
  stage = await startStage();
  const jobs = await storeAll(stage);
  const [, queueUrl = ''] = (await stage.ports.endpoints.readNow(ENDPOINT))?.normalQueueUrls ?? [];
  const ids = Object.values(jobs);
  const isOfThis = (key: string) => ids.some((id) => key.includes(id));
  present = await recordAll(stage.ports.clock.now(), jobs, TABLES, queueUrl, isOfThis);
  if (process.env.RECORD_ITEMS === 'true') addRecording(SCHEMA_VERSION, present);
}, 60_000);
afterAll(() => stage.stop());

const WHAT_TO_DO = `The shape of the stored items differs from the last recording of schema version ${SCHEMA_VERSION} (+ stored now, - recorded).
If attributes were only added, and readers do not need them, add a recording with \`npm run record:items\`. Keep the earlier recordings, because such items are still stored.
Otherwise an older version would misread the items. Raise SCHEMA_VERSION, write \`schema\` into such items, keep the code that reads
the previous version, and add a recording (docs/adr/0016).`;

describe('the stored items', () => {
  it('have the recorded shape of the schema version', () => {
    const newest = newestOf(SCHEMA_VERSION);
    const recorded = newest && readRecording(newest);
    const [before, now] = [recorded ? shapeOf(recorded) : [], shapeOf(present)];
    const changes = [
      ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
      ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ];
    if (changes.length > 0) throw new Error([WHAT_TO_DO, ...changes].join('\n'));
    expect(now).not.toEqual([]);
  });

  it('exist in every table', () => {
    const empty = Object.entries(present.items).filter(([, items]) => items.length === 0);
    expect(empty).toEqual([]);
  });
});
