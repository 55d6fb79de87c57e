/** Finds changed templates in an event of the stream of the templates table. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { StreamRecord } from '../jobs/job-stream.ts';

type Image = Parameters<typeof unmarshall>[0];

const itemIn = (image: unknown): Record<string, unknown> => (image ? unmarshall(image as Image) : {});

/**
 * Returns the ids of the templates that are new or have a new version. The event source passes only items of the
 * collection `templates` (`lib/releases/releases.ts`).
 */
export const changedTemplateIds = (records: readonly StreamRecord[]): string[] =>
  records.flatMap(({ dynamodb: { OldImage, NewImage } = {} }) => {
    const [before, after] = [itemIn(OldImage), itemIn(NewImage)];
    return after.item !== undefined && after.version !== before.version ? [String(after.item)] : [];
  });
