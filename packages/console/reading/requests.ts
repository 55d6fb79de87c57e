/**
 * Everything that the console reads from texts of workers and clients. The functions run on the page for a small text and
 * in a worker for a large one (`read.ts`), so they take no callbacks, and their results can be sent to the page.
 */
import { chunksIn, streamFile, streamLines } from '../job/chunks.ts';
import { findMedia } from '../job/find-media.ts';
import { logLines, logPage } from '../job/log-text.ts';
import { fileIn } from '../job/media.ts';
import { partsOfJob } from '../job/record.ts';
import { linesOf, stringIn } from '../json/display.ts';
import { layoutOf } from '../json/format.ts';
import type { Part } from '../json/scan.ts';

export const requests = {
  layout: layoutOf,
  lines: (text: string, part?: Part) => linesOf(stringIn(text, part)),
  string: stringIn,
  job: partsOfJob,
  media: findMedia,
  file: fileIn,
  chunks: chunksIn,
  streamLines,
  streamFile,
  logPage,
  logLines,
} as const;

/** Calls one of the functions. */
export const call = async (name: keyof typeof requests, text: unknown, argument: unknown): Promise<unknown> =>
  (requests[name] as (text: unknown, argument: unknown) => unknown)(text, argument);
