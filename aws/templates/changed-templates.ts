/** Finds changed templates in an event of the stream of the templates table. */
import { itemIn } from '../images.ts';
import type { StreamRecord } from '../jobs/job-stream.ts';

const templateIn = (image: unknown): Record<string, unknown> => (image ? itemIn(image) : {});

/**
 * Returns the ids of the templates that are new or have a new version. The event source passes only items of the
 * collection `templates` (`lib/releases/releases.ts`).
 */
export const changedTemplateIds = (records: readonly StreamRecord[]): string[] =>
  records.flatMap(({ dynamodb: { OldImage, NewImage } = {} }) => {
    const [before, after] = [templateIn(OldImage), templateIn(NewImage)];
    return after.item !== undefined && after.version !== before.version ? [String(after.item)] : [];
  });
