/** Mutants of streams, for tests of rules and tests over HTTP. */
import { type Mutant, mutant } from './mutant.ts';

const DRAIN = 'test/streams/drain.test.ts';
const CHUNK = 'test/streams/chunk.test.ts';
const STREAM = 'test/streams/stream.test.ts';
const FOLLOW = 'test/streams/follow.test.ts';
const CHUNK_STREAM = 'test/worker/chunk-stream.test.ts';
const STOP = 'test/worker/stop.test.ts';
const GATEWAY = 'test/worker/gateway.test.ts';
const STREAMING = 'test/worker/streaming.test.ts';

export const streamMutants: readonly Mutant[] = [
  mutant('no client of RunPod is recognized')
    .replace('core/http/calls.ts', 'RUNPOD_CLIENT.test(userAgent)', 'false')
    .killedBy(DRAIN, 'has the form that a client with the user agent'),
  mutant('the position of a stream is stored before its chunks are sent')
    .replace(
      'core/streams/stream.ts',
      '  const { rest, next } = yield* joined(`{',
      '  const all = await Array.fromAsync(chunks);\n  if (storesPosition) await ports.drains.set(job, job.attempt, all.length, job.removeAfter);\n  chunks = (async function* () { yield* all; })();\n  const { rest, next } = yield* joined(`{',
    )
    .killedBy(DRAIN, 'for a reader that was disconnected'),
  mutant('a slow reader resets the position of a stream')
    .replace(
      'aws/streams/drains.ts',
      "and(compare('attempt', '=', attempt), compare('given', '<', next))",
      "compare('attempt', '=', attempt)",
    )
    .killedBy(DRAIN, 'slow reader'),
  mutant('a drained stream continues at the position of another attempt')
    .replace('aws/streams/drains.ts', 'Item?.attempt === attempt ?', 'Item ?')
    .killedBy(DRAIN, 'begins again with each attempt'),
  mutant('a read of a stream has no maximum wait')
    .replace(
      'core/streams/stream.ts',
      'Math.min(parseWait(wait, streamHold.default), streamHold.max)',
      'parseWait(wait, streamHold.default)',
    )
    .killedBy(DRAIN, 'before its headers'),
  mutant('chunks that arrive too late are returned')
    .replace(
      'core/streams/read.ts',
      "return 'chunks' in job ? (job.chunks ?? 0) : 0;",
      'return Number.POSITIVE_INFINITY;',
    )
    .killedBy(STREAM, 'a chunk that arrives too late'),
  mutant('chunks of earlier attempts are shown')
    .replace(
      'core/streams/read.ts',
      'ports.chunks.list(job, job.attempt, from, count)',
      'ports.chunks.list(job, 1, from, count)',
    )
    .killedBy(STREAM, 'a retry hides'),
  mutant('a string is divided inside an escape sequence')
    .replace(
      'core/streams/chunk.ts',
      'if (at + found.length > cut) return at;',
      'if (at + found.length > cut + 6) return at;',
    )
    .killedBy(CHUNK, 'between code points'),
  mutant('the parts of a chunk leave no room for their metrics')
    .replace(
      'core/streams/chunk.ts',
      'limit - envelopeOf(LAST_CHUNK, { ...rest, part: LAST_CHUNK, parts: LAST_CHUNK })',
      'limit',
    )
    .killedBy(STREAM, 'in elements of at most 1 MB'),
  mutant('a number of any length is accepted as a metric')
    .replace('core/streams/metrics.ts', ': [text.length, MAX_NUMBER_LENGTH]', ': [0, MAX_NUMBER_LENGTH]')
    .killedBy(GATEWAY, 'logs which metrics'),
  mutant('dropped metrics are not logged')
    .replace('worker/agent/job-loop.ts', 'if (dropped) log.info', 'if (dropped?.unnamed) log.info')
    .killedBy(GATEWAY, 'logs which metrics'),
  mutant('chunks do not wait for earlier chunks')
    .replace(
      'worker/agent/chunk-stream.ts',
      'const taken = last.then(() => take(chunk, size));',
      'const taken = Promise.resolve().then(() => take(chunk, size));',
    )
    .killedBy(CHUNK_STREAM, 'when earlier chunks and that chunk are stored'),
  mutant('a job is stored before its chunks')
    .remove('worker/agent/chunk-stream.ts', '      await patiently(() => buffer.length > 0);\n')
    .killedBy(GATEWAY, 'answers 500 to the report of a job'),
  mutant('the buffer has no maximum')
    .replace(
      'worker/agent/chunk-stream.ts',
      '() => buffer.length > 0 && !hasRoom()',
      '() => buffer.length > 10_000 && !hasRoom()',
    )
    .killedBy(CHUNK_STREAM, 'accepts the next chunk only'),
  mutant('each chunk is written separately')
    .replace('worker/agent/chunk-stream.ts', 'Math.max(begun + chunkWrites.every - clock.now(), pause)', 'pause')
    .killedBy(CHUNK_STREAM, 'at most 20 writes a second'),
  mutant('chunks of a failed write are dropped')
    .replace(
      'worker/agent/chunk-stream.ts',
      'const batch = buffer.slice(0, writing);',
      'const batch = buffer.splice(0, writing);',
    )
    .killedBy(CHUNK_STREAM, 'neither loses nor duplicates'),
  mutant('a chunk in an item with several chunks has the number of another chunk')
    .replace(
      'core/streams/pack.ts',
      'const first = number + 1 - sizes.length / 2;',
      'const first = number - sizes.length / 2;',
    )
    .killedBy(FOLLOW, 'each with its number'),
  mutant('the stored sizes of chunks are trusted')
    .replace('core/streams/pack.ts', "start === whole.length + ','.length && Number.isInteger(first)", 'start > 0')
    .killedBy(FOLLOW, 'are skipped if their item has'),
  mutant('each read of a stream reads its job')
    .replace(
      'core/streams/follow.ts',
      'if (!first.done && clock.now() - readAt < JOB_READ_PAUSE) {',
      'if (!first.done && clock.now() < 0) {',
    )
    .killedBy(FOLLOW, 'and its job once a second'),
  mutant('a stream continues at the position of another attempt')
    .replace(
      'core/streams/follow.ts',
      'if (job.attempt !== attempt && countOf(job) > 0) {',
      'if (attempt === undefined && countOf(job) > 0) {',
    )
    .killedBy(FOLLOW, 'begins with the first chunk of each attempt'),
  mutant('a job is stopped before its container has the response to a chunk')
    .remove('worker/gateway/polls.ts', '  await chunkCalls.between(jobsToStop);\n')
    .killedBy(STOP, 'is stopped after the container has received the response'),
  mutant('a job ends before its chunks are stored')
    .remove('worker/sdk/runner.ts', '    await chunks.all();\n')
    .killedBy(STREAMING, 'fails if a chunk is refused'),
];
