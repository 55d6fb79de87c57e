/** Compares the stored items with the newest recording (docs/adr/0016). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointConfigSchema } from '../../core/endpoints/endpoint.ts';
import { releaseRecordSchema } from '../../core/endpoints/release-summary.ts';
import { endedAttemptSchema } from '../../core/history/ended-attempt.ts';
import { endedJobSchema } from '../../core/history/ended-job.ts';
import { endpointEventSchema } from '../../core/history/event.ts';
import { jobSchema } from '../../core/jobs/job.ts';
import { keyRecordSchema } from '../../core/keys/client-keys.ts';
import { SCHEMA_VERSION } from '../../core/stored-items/schema-version.ts';
import { templateSchema } from '../../core/templates/template.ts';
import { deliverySchema } from '../../core/webhooks/delivery.ts';
import { leaseSchema } from '../../core/workers/lease.ts';
import { TABLES } from '../support/emulated-deployment.ts';
import { ENDPOINT, storeAll } from './history.ts';
import { newestRecording, type Recording, recordAll, saveRecording, shapeOf } from './recording.ts';
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
  if (process.env.RECORD_ITEMS === 'true') saveRecording(present);
}, 60_000);
afterAll(() => stage.stop());

const WHAT_TO_DO = `The shape of the stored items differs from the newest recording (+ stored now, - recorded).
If attributes were only added, and readers do not need them, replace the unreleased recording with \`RECORD_ITEMS=true npm test -- test/stored-items/shape\`.
Otherwise the last release would misread the items. Raise SCHEMA_VERSION, now ${SCHEMA_VERSION}, write \`schema\` into such items, keep the
code that reads the items of released versions, and replace the recording (docs/adr/0016). Before the first release, only
replace it: no items are stored.`;

const ofJob = jobSchema.def.options.flatMap(({ shape }) => Object.keys(shape));

/** The attributes that items of a table can have, by the schemas of the items. */
const attributes: readonly (readonly [table: string, names: readonly string[]])[] = [
  ['JOBS_TABLE', ofJob.filter((name) => name !== 'endpoint')],
  ['ENDPOINTS_TABLE', Object.keys(endpointConfigSchema.shape).filter((name) => name !== 'id')],
  ['WORKERS_TABLE', Object.keys(leaseSchema.shape)],
  ['KEYS_TABLE', Object.keys(keyRecordSchema.shape)],
  ['TEMPLATES_TABLE', Object.keys(templateSchema.shape)],
  ['RELEASES_TABLE', Object.keys(releaseRecordSchema.shape)],
  ['DELIVERIES_TABLE', Object.keys(deliverySchema.shape)],
  [
    'HISTORY_TABLE',
    Object.keys({ ...endedJobSchema.shape, ...endedAttemptSchema.shape, ...endpointEventSchema.shape }),
  ],
];

describe('the stored items', () => {
  it('have the recorded shape', () => {
    const recorded = newestRecording();
    const [before, now] = [recorded ? shapeOf(recorded) : [], shapeOf(present)];
    const changes = [
      ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
      ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ];
    if (changes.length > 0) throw new Error([WHAT_TO_DO, ...changes].join('\n'));
    expect(now).not.toEqual([]);
  });

  it.each(attributes)(
    'have each attribute of the schemas for %s, so that no attribute lacks a recording',
    (table, names) => {
      const stored = new Set((present.items[table] ?? []).flatMap((item) => Object.keys(item)));
      // A missing attribute belongs into `history.ts`.
      expect(names.filter((name) => !stored.has(name))).toEqual([]);
    },
  );

  it('exist in every table', () => {
    const empty = Object.entries(present.items).filter(([, items]) => items.length === 0);
    expect(empty).toEqual([]);
  });
});
