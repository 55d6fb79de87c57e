/** Breaks of streams that tests must notice: those of rules, and those over HTTP. */
import type { Mutant } from './mutant.ts';

const DRAIN = 'test/jobs/drain.test.ts';
const CHUNK = 'test/core/chunk.test.ts';
const STREAM = 'test/jobs/stream.test.ts';
const GATEWAY = 'test/worker/gateway.test.ts';
const STREAMING = 'test/worker/streaming.test.ts';

export const streamMutants: readonly Mutant[] = [
  {
    name: 'what was given is noted before it is sent',
    file: 'core/jobs/drain.ts',
    replace: '    if (piece.length < PIECE) continue;\n',
    by: '    if (isNoted) await world.drains.note(job, job.attempt, next, job.removeAfter);\n    if (piece.length < PIECE) continue;\n',
    test: DRAIN,
    named: 'cut off',
  },
  {
    name: 'a slow reader sets back how far a stream was given',
    file: 'aws/drains.ts',
    replace: '(attempt = :attempt AND given < :next)',
    by: 'attempt = :attempt',
    test: DRAIN,
    named: 'slow reader',
  },
  {
    name: 'a drained stream goes on where another attempt was',
    file: 'aws/drains.ts',
    replace: 'Item?.attempt === attempt ?',
    by: 'Item ?',
    test: DRAIN,
    named: 'begins anew',
  },
  {
    name: 'a reader with a start drains',
    file: 'core/jobs/drain.ts',
    replace: 'head, from === undefined)',
    by: 'head, true)',
    test: DRAIN,
    named: 'without being drained',
  },
  {
    name: 'a reader is held for as long as it likes',
    file: 'core/jobs/stream.ts',
    replace: 'Math.min(parseWait(wait, streamHold.default), streamHold.longest)',
    by: 'parseWait(wait, streamHold.default)',
    test: DRAIN,
    named: 'before its headers',
  },
  {
    name: 'chunks that come too late count',
    file: 'core/jobs/chunk-texts.ts',
    replace: "return 'chunks' in job ? (job.chunks ?? 0) : 0;",
    by: 'return Number.POSITIVE_INFINITY;',
    test: STREAM,
    named: 'a chunk that comes too late',
  },
  {
    name: 'chunks of earlier attempts are shown',
    file: 'core/jobs/chunk-texts.ts',
    replace: 'world.chunks.list(job, job.attempt, from, count)',
    by: 'world.chunks.list(job, 1, from, count)',
    test: STREAM,
    named: 'a retry hides',
  },
  {
    name: 'an element of 1 MB is cut',
    file: 'core/jobs/chunk.ts',
    replace: 'envelopeOf(number, rest) + sizeOf(output) <= limit',
    by: 'envelopeOf(number, rest) + sizeOf(output) < limit',
    test: CHUNK,
    named: 'stays as it is',
  },
  {
    name: 'a string is cut amid an escape',
    file: 'core/jobs/chunk.ts',
    replace: 'if (at + found.length > cut) return at;',
    by: 'if (at + found.length > cut + 6) return at;',
    test: CHUNK,
    named: 'between code points',
  },
  {
    name: 'the pieces of a chunk have no room for their metrics',
    file: 'core/jobs/chunk.ts',
    replace: 'limit - envelopeOf(LAST_CHUNK, { ...rest, part: LAST_CHUNK, parts: LAST_CHUNK })',
    by: 'limit',
    test: STREAM,
    named: 'in elements of at most 1 MB',
  },
  {
    name: 'a number of any length is a metric',
    file: 'core/jobs/metrics.ts',
    replace: ': [text.length, LONGEST_NUMBER]',
    by: ': [0, LONGEST_NUMBER]',
    test: GATEWAY,
    named: 'logs which metrics',
  },
  {
    name: 'dropped metrics are not logged',
    file: 'worker/agent.ts',
    replace: 'if (Object.keys(lost.dropped).length > 0) log.info',
    by: 'if (lost.unnamed > 0) log.info',
    test: GATEWAY,
    named: 'logs which metrics',
  },
  {
    name: 'chunks do not wait for those before them',
    file: 'worker/chunk-stream.ts',
    replace: 'const appended = last.then(async () => {',
    by: 'const appended = Promise.resolve().then(async () => {',
    test: GATEWAY,
    named: 'in the order in which they come',
  },
  {
    name: 'a job ends before its chunks are stored',
    file: 'worker/runner.ts',
    replace: '    await chunks.all();\n',
    by: '',
    test: STREAMING,
    named: 'fails if a chunk is refused',
  },
];
