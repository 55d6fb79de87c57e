/** Mutants of HTTP servers as workers, for tests of the agent and one test of the whole service. */
import { type Mutant, mutant } from './mutant.ts';

const HTTP = 'test/worker/http.test.ts';
const HEALTH = 'test/worker/http-health.test.ts';
const TASK = 'local/test/ecs/task.test.ts';

export const httpAcceptanceMutants: readonly Mutant[] = [
  mutant('the agent has no settings for its HTTP server')
    .remove('lib/workers/environment.ts', '...(server && callerVariables(server, concurrency)),')
    .killedBy('test/acceptance/first-job.test.ts', 'run by an HTTP server'),
];

export const httpMutants: readonly Mutant[] = [
  mutant('a server gets jobs before it is healthy')
    .replace(
      'worker/http/health.ts',
      'if (response === 200 || ended.aborted)',
      "if (typeof response === 'number' || ended.aborted)",
    )
    .killedBy(HEALTH, 'before it is healthy'),
  mutant('a server has no time limit for its start')
    .replace('worker/http/health.ts', 'clock.now() - since >= startTimeout', 'clock.now() - since >= 2 * startTimeout')
    .killedBy(HEALTH, 'takes too long'),
  mutant('a dead server gets more jobs')
    .remove('worker/http/slots.ts', '      health.gone();\n')
    .killedBy(HEALTH, 'gets the job again when it is healthy'),
  mutant('an unhealthy server gets more jobs')
    .replace('worker/http/health.ts', 'failures < MAX_FAILURES', 'failures < 1_000')
    .killedBy(HEALTH, 'after three failed health checks'),
  mutant('a server is abandoned while it runs a job')
    .replace('worker/http/health.ts', 'if (!isIdle()) since = clock.now();\n      else if', 'if')
    .killedBy(HEALTH, 'while it still runs another job'),
  mutant("a server's health is checked while it runs a job")
    .replace('worker/http/health.ts', 'isIdle() && (await ask())', '(await ask())')
    .killedBy(HEALTH, 'may fail its health check'),
  mutant('a server that dies during its response fails the job')
    .replace(
      'worker/http/slots.ts',
      '!(error instanceof NoAnswer) && (await health.answers())',
      '!(error instanceof NoAnswer)',
    )
    .killedBy(HEALTH, 'begun to answer'),
  mutant('a job whose response was interrupted is requeued')
    .replace('worker/http/slots.ts', '!(error instanceof NoAnswer) && (await health.answers())', 'error === undefined')
    .killedBy(HTTP, 'fails the job if it is interrupted'),
  mutant('a request continues after its job is stopped')
    .replace('worker/http/slots.ts', 'running.get(id)?.abort()', 'running.get(id)')
    .killedBy(HTTP, 'aborted when it is cancelled'),
  mutant('a job whose request was aborted is not requeued')
    .replace(
      'worker/http/slots.ts',
      'report ? agent.report(id, report) : agent.requeue(id)',
      'agent.report(id, report ?? {})',
    )
    .killedBy(HTTP, 'requeues their jobs'),
  mutant('a result that could not be reported is dropped')
    .replace('worker/http/slots.ts', 'if (error instanceof RequestError) throw error;', 'return;')
    .killedBy(HTTP, 'as soon as AWS is available'),
  mutant('a server gets only one job at a time')
    .replace('worker/http/slots.ts', 'slot <= server.concurrency', 'slot <= 1')
    .killedBy(HTTP, 'if the server may have several'),
  mutant('a stream is read ahead')
    .replace(
      'worker/http/body.ts',
      'for await (const chunk of chunks) await store(chunk);',
      'await Promise.all((await Array.fromAsync(chunks)).map(store));',
    )
    .killedBy(HTTP, 'no faster than it can be stored'),
  mutant('an event without the empty line after it is lost')
    .remove('worker/http/chunks.ts', "    yield* next('\\n\\n');\n")
    .killedBy(HTTP, 'without the empty line'),
  mutant('a line can have any length')
    .replace('worker/http/chunks.ts', 'line.length > MAX_LENGTH', 'line.length > 2 * MAX_LENGTH')
    .killedBy(HTTP, 'a stream of lines is endless'),
  mutant('an event can have any length')
    .remove('worker/http/chunks.ts', '    maxBufferSize: MAX_LENGTH,\n')
    .killedBy(HTTP, 'a stream of events is endless'),
  mutant('invalid JSON is accepted as output')
    .replace(
      'worker/http/chunks.ts',
      '    throw new UnusableAnswer(`sent ${what} that is not JSON: ${(error as Error).message}`, { cause: error });\n',
      '    return JSON.stringify(`${what}${(error as Error).message}`);\n',
    )
    .killedBy(HTTP, 'if the response (is not JSON|contains a line)'),
  mutant('bytes that are not UTF-8 are replaced')
    .remove('worker/http/body.ts', 'fatal: true, ')
    .killedBy(HTTP, 'if the response is not UTF-8'),
  mutant('an error response of any length is stored')
    .remove('worker/http/body.ts', 'if (size >= maxBytes) break;')
    .killedBy(HTTP, 'error response of any length'),
  mutant('tasks share the port of their servers')
    .replace('local/ecs/task-ports.ts', 'isShared && serverPort in environment', 'isShared && false')
    .killedBy(TASK, 'a server that its agent calls'),
  mutant('the port of a worker with only one container is changed')
    .replace('local/ecs/task-ports.ts', '.length > 1', '.length > 0')
    .killedBy(TASK, 'that only one container sets'),
];
