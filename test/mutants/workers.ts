/** Mutants of the agent and of the worker SDK that unit tests must detect. */
import { type Mutant, mutant } from './mutant.ts';

const AGENT = 'test/worker/agent.test.ts';
const GATEWAY = 'test/worker/gateway.test.ts';
const STOP = 'test/worker/stop.test.ts';
const DRAIN = 'test/worker/drain.test.ts';
const UNSTOPPED = 'test/worker/unstopped.test.ts';
const MESSAGE_LIFE = 'test/worker/message-life.test.ts';
const PROTECTION = 'test/worker/protection.test.ts';
const SUPERVISOR = 'test/worker/supervisor.test.ts';

export const workerMutants: readonly Mutant[] = [
  mutant('an agent takes jobs without a lease')
    .replace('worker/agent/heartbeat.ts', 'if (!isFirst && leaseEnds - clock.now() >= LEASE - BEAT) return;', 'return;')
    .killedBy(AGENT, 'has a lease before'),
  mutant('a draining agent keeps its job')
    .replace(
      'worker/agent/agent.ts',
      'await held.requeueAll();\n      await heartbeat.end();',
      'await heartbeat.end();',
    )
    .killedBy(AGENT, 'requeues its job'),
  mutant('messages that arrive without a waiting poll are kept')
    .replace('worker/agent/messages.ts', 'waiter ? waiter(message) : release(message)', 'waiter?.(message)')
    .killedBy(AGENT, 'while no call waits'),
  mutant('an error object is lost')
    .replace('worker/gateway/reports.ts', "typeof error === 'string' ? error : sent.text('error')", 'String(error)')
    .killedBy(GATEWAY, 'ends the job FAILED'),
  mutant('an unreadable report is not stored')
    .replace(
      'worker/gateway/reports.ts',
      "return { end: { error: `The worker's report cannot be read. ${error.message}` }, replace: false };",
      'throw error;',
    )
    .killedBy(GATEWAY, 'ends the job FAILED'),
  mutant('one slot of a worker requeues the jobs of another slot')
    .replace('worker/gateway/polls.ts', 'agent.requeueAll(taker)', 'agent.requeueAll()')
    .killedBy(GATEWAY, 'requeues only the jobs of the slot'),
  mutant('a job goes to a caller that has disconnected')
    .replace('worker/gateway/polls.ts', 'if (response.closed) {', 'if (response.closed && offers.length === 0) {')
    .killedBy(GATEWAY, 'closes the connection while the agent takes the job'),
  mutant('a batch has more jobs than the worker asked for')
    .replace('worker/gateway/polls.ts', 'agent.nextBatch(max, until, taker)', 'agent.nextBatch(max + 1, until, taker)')
    .killedBy(GATEWAY, 'no more than the worker asks for'),
  mutant('progress ends a job')
    .replace(
      'worker/gateway/reports.ts',
      "memberOf(sent, 'status') === 'IN_PROGRESS'",
      "memberOf(sent, 'status') === 'RUNNING'",
    )
    .killedBy(GATEWAY, 'shows the progress of a job'),
  mutant('a message is deleted although no lease names its job')
    .replace(
      'worker/agent/heartbeat.ts',
      'leaseEnds = endsAt;\n    for (const job of named) job.dropMessage();',
      'leaseEnds = endsAt;',
    )
    .killedBy(MESSAGE_LIFE, 'is deleted when a beat'),
  mutant('beats can overtake each other')
    .replace('worker/agent/heartbeat.ts', 'const renewed = lastBeat.then(renewLease);', 'const renewed = renewLease();')
    .killedBy(MESSAGE_LIFE, 'an older lease may still overwrite'),
  mutant('a job is requeued before it has a message')
    .replace(
      'worker/agent/held-jobs.ts',
      'if (!own) await ports.jobQueues.send',
      'await rescue(ports, job, 0);\n      if (!own) await ports.jobQueues.send',
    )
    .killedBy(MESSAGE_LIFE, 'exits between'),
  mutant('a beat deletes the message of a requeued job')
    .replace('worker/agent/held-jobs.ts', 'message = undefined;\n    return taken;', 'return taken;')
    .killedBy(MESSAGE_LIFE, 'although a beat finishes during'),
  mutant('the agent waits for ever for a container that does not stop')
    .replace('worker/agent/stops.ts', 'clock.now() - since >= STOP_LIMIT', 'since < 0')
    .killedBy(UNSTOPPED, 'stops its task'),
  mutant('a container keeps a job that is requeued immediately after its poll')
    .replace('worker/agent/stops.ts', 'waiters.size > 0 || clock.now() - sentAt < NEXT_CALL', 'waiters.size > 0')
    .killedBy(DRAIN, 'is stopped before its requeue when the agent drains'),
  mutant('a drain waits for a container that has stopped polling')
    .replace('worker/agent/stops.ts', 'clock.now() - sentAt < NEXT_CALL', 'sentAt > 0')
    .killedBy(DRAIN, 'has not polled for a while'),
  mutant('a job counts as stopped after one stop message')
    .replace('worker/agent/stops.ts', 'sent >= 2', 'sent >= 1')
    .killedBy(STOP, 'after it has received the id twice'),
  mutant('stop messages are repeated continuously')
    .replace('worker/agent/stops.ts', 'due = false;\n      for', 'for')
    .killedBy(STOP, 'sent once on every watch'),
  mutant('a refusal with status 200 counts as protection')
    .replace(
      'worker/agent/protection.ts',
      'if (protection?.ProtectionEnabled === enabled) return;',
      'if (response.ok) return;',
    )
    .killedBy(PROTECTION, 'status 200|releases the message'),
  mutant('a handler is killed without its child processes')
    .replace('worker/sdk/runner-process.ts', "process.kill(-pid, 'SIGKILL');", "process.kill(pid, 'SIGKILL');")
    .killedBy(SUPERVISOR, 'child processes of its handler if the handler ignores'),
  mutant('a runner outlives its supervisor')
    .replace('worker/sdk/runner.ts', "notify({ type: 'ready' });\n  endWithSupervisor();", "notify({ type: 'ready' });")
    .killedBy(SUPERVISOR, 'when it is killed, if the handler blocks'),
];
