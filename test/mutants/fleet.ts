/** Mutants of the ledger, the scaler, the sweeper, cancellations, retries, purges and waits. */
import { type Mutant, mutant } from './mutant.ts';

const MACHINE = 'test/jobs/machine.test.ts';
const COUNTERS = 'test/ledger/counters.test.ts';
const CANCEL = 'test/jobs/cancel.test.ts';
const WAIT = 'test/waiting-calls/wait.test.ts';
const HEALTH = 'test/status/health.test.ts';
const RECORD = 'test/ledger/record.test.ts';
const SWEEP = 'test/sweeper/sweep.test.ts';
const SCALE = 'test/workers/scale.test.ts';
const CHECKS = 'test/lib/constructs/checks.test.ts';
const RETRY = 'test/submission/retry.test.ts';
const PURGE = 'test/jobs/purge-queue.test.ts';
const MESSAGE_LIFE = 'test/worker/message-life.test.ts';
const LOW_MESSAGES = 'test/worker/low-priority.test.ts';
const LOW_PRIORITY = 'test/jobs/low-priority.test.ts';
const LIVE_MESSAGES = 'test/worker/purged-messages.test.ts';

export const fleetMutants: readonly Mutant[] = [
  mutant('a job can be cancelled after its ttl')
    .replace(
      'core/jobs/transitions.ts',
      "to: 'CANCELLED',\n    when: [\n      ['$now', '<', 'queueDeadline'],\n",
      "to: 'CANCELLED',\n    when: [\n",
    )
    .killedBy(MACHINE, 'cancelQueued of'),
  mutant('a job can be cancelled after its execution deadline')
    .replace('core/jobs/transitions.ts', 'when: [notOverdue],', 'when: [],')
    .killedBy(MACHINE, 'cancelRunning of'),
  mutant('a job that timed out is requeued')
    .replace(
      'core/jobs/transitions.ts',
      "notOverdue, ['$leaseEnds', '<', '$now'], ['attempt', '<', 'attemptLimit']]",
      "['$leaseEnds', '<', '$now'], ['attempt', '<', 'attemptLimit']]",
    )
    .killedBy(MACHINE, 'requeue of'),
  mutant('a cancellation does not read the job again')
    .replace('core/stored-items/conflicts.ts', '  job: 5,', '  job: 1,')
    .killedBy(CANCEL, 'simultaneous report'),
  mutant('the first reads of a wait are late by more than half of its time')
    .replace(
      'core/waiting-calls/poll-schedule.ts',
      'Math.floor((previous + pause) / step)',
      'Math.ceil((previous + pause) / step)',
    )
    .killedBy('test/waiting-calls/watch.test.ts', 'answers soon after the end of a job'),
  mutant('a wait lasts a minute too long')
    .replace(
      'core/waiting-calls/wait.ts',
      'watch(ports, key, wait, { gone, isForEnd: true })',
      'watch(ports, key, wait + 60_000)',
    )
    .killedBy(WAIT, 'running job after the wait'),
  mutant('a wait of any length is accepted')
    .replace(
      'core/waiting-calls/wait.ts',
      'return validate(milliseconds(waitLimits), parseQueryNumber(value), ',
      'return Number(value) || validate(milliseconds(waitLimits), parseQueryNumber(value), ',
    )
    .killedBy(WAIT, 'refuses to wait'),
  mutant('results of runsync are retained as long as results of run')
    .replace('core/submission/submit.ts', 'retention: retention[kind],', 'retention: retention.run,')
    .killedBy(WAIT, '60 seconds'),
  mutant('a batch is counted each time it arrives')
    .replace(
      'aws/ledger/ledger.ts',
      "notExists('lastSequence'), compare('lastSequence', '<', changes[0]?.sequence)",
      "notExists('lastSequence'), exists('lastSequence')",
    )
    .killedBy(RECORD, 'counts every change once'),
  mutant('new records in a batch with counted records are lost')
    .replace('aws/ledger/ledger.ts', 'changes.filter(({ sequence: at }) => at > String(item.lastSequence))', '[]')
    .killedBy('test/ledger/arrivals.test.ts', 'a scan of all jobs'),
  mutant('a queue deadline is stored for a job that no longer waits')
    .replace(
      'core/expiry/due.ts',
      "if (job?.status === 'IN_QUEUE') return job.queueDeadline;",
      'if (job) return job.queueDeadline;',
    )
    .killedBy(COUNTERS, 'is not stored for a job that arrived and ended in one'),
  mutant('deadlines are rounded down')
    .replace('core/expiry/due.ts', 'Math.ceil(deadline / MINUTE)', 'Math.floor(deadline / MINUTE)')
    .killedBy(COUNTERS, 'rounded up to the next minute'),
  mutant('a busy worker is stopped')
    .replace('core/fleet/scale.ts', 'Math.max(wanted, kept.length)', 'wanted')
    .killedBy(SCALE, 'never sets less than the number of workers that have or'),
  mutant('the first of two simultaneous scalings wins')
    .replace('core/fleet/scale.ts', 'contended = true;', 'return;')
    .killedBy(SCALE, 'by two simultaneous processes sets the number that is'),
  mutant('a rescued job has no message')
    .remove('core/workers/lost.ts', 'await sendMessage(ports, endpoint, job, { generation: endpoint.generation });')
    .killedBy(SWEEP, 'lose their jobs when their lease has ended'),
  mutant('a job is requeued before its message is sent')
    .replace(
      'core/workers/lost.ts',
      'await sendMessage(ports, endpoint, job, { generation: endpoint.generation });\n  return rescue(ports, job, leaseEnds, endpoint.generation);',
      'const back = await rescue(ports, job, leaseEnds, endpoint.generation);\n  await sendMessage(ports, endpoint, job, { generation: endpoint.generation });\n  return back;',
    )
    .killedBy(SWEEP, 'could not be requeued'),
  mutant('a renewed lease is removed')
    .replace(
      'aws/workers/leases.ts',
      "conditionExpression(compare('endsAt', '<=', endsAt))",
      "conditionExpression(compare('endsAt', '>=', 0))",
    )
    .killedBy(SWEEP, 'keep their lease and lose their jobs'),
  mutant('the jobs of a stopped task are rescued only after its lease ends')
    .replace('core/fleet/observe.ts', 'Math.min(lease.endsAt, ports.clock.now() - 1)', 'lease.endsAt')
    .killedBy(SWEEP, 'are found immediately when ECS reports that their task'),
  mutant('counters are corrected at the first difference')
    .replace(
      'core/sweeper/counters.ts',
      'if (suspected && isEqual(suspected, missing)) {',
      'if (!isEqual(zeroCounters, missing)) {',
    )
    .killedBy(SWEEP, 'counters'),
  mutant('a service with the wrong number of tasks is not corrected')
    .replace('core/sweeper/sweep.ts', 'actual === wanted) return;', 'actual !== wanted) return;')
    .killedBy(SWEEP, 'set again'),
  mutant('a failing endpoint stops the sweep')
    .replace('core/sweeper/sweep.ts', 'one.error = error;', 'throw error;')
    .killedBy(SWEEP, 'continues with the other endpoints'),
  mutant('workers without capacity are reported as starting')
    .replace('core/workers/count.ts', 'now - desiredSince > START_LIMIT', 'now - desiredSince > 2 * START_LIMIT')
    .killedBy(HEALTH, 'distinguishes starting workers from workers without'),
  mutant('a bucket accepts requests without TLS')
    .remove('lib/jobs/payload-bucket.ts', 'enforceSSL: true,')
    .killedBy(CHECKS, 'find only acknowledged problems'),
  mutant('a purge returns before the caches have expired')
    .remove('core/jobs/purge-queue.ts', 'await ports.clock.pause(PURGE_PAUSE);')
    .killedBy(PURGE, 'although another process|in a process that has just counted'),
  mutant('waiting jobs are counted regardless of their generation')
    .replace('core/endpoints/counts.ts', 'generation === 0 ? counter :', 'generation >= 0 ? counter :')
    .killedBy(PURGE, 'health counts no waiting|no worker starts'),
  mutant('purged jobs hide a new job')
    .replace(
      'core/endpoints/counts.ts',
      'return inQueue > lowInQueue;',
      'return Object.entries(change).reduce((sum, [name, n]) => sum + (name.startsWith("inQueue") ? n : 0), 0) > lowInQueue;',
    )
    .killedBy(PURGE, 'no worker starts'),
  mutant('the counters of purged jobs are never removed')
    .replace('core/sweeper/sweep.ts', 'if (over.length > 0)', 'if (over.length < 0)')
    .killedBy(PURGE, 'removes the counters of purged jobs'),
  mutant('an old message of a running job is dropped')
    .replace('core/jobs/queues.ts', "return job?.status !== 'IN_PROGRESS';", 'return true;')
    .killedBy(LIVE_MESSAGES, 'recovers the job that ran'),
  mutant('an old message of a requeued job is dropped')
    .remove('core/jobs/queues.ts', "if (job?.status === 'IN_QUEUE') return job.generation < endpoint.generation;")
    .killedBy(LIVE_MESSAGES, 'starts the job that a worker requeued'),
  mutant('each message of a purged job causes a write')
    .replace(
      'core/jobs/queues.ts',
      'if (!endpoint || generation >= endpoint.generation) return false;',
      'if (!endpoint || generation >= 0) return false;',
    )
    .killedBy(LIVE_MESSAGES, 'without a write to the table'),
  mutant('messages of purged jobs delay new messages')
    .replace('core/jobs/queues.ts', 'generation % 2 === 0 ? even : odd', 'generation < 0 ? odd : even')
    .killedBy(LIVE_MESSAGES, 'do not delay a job'),
  mutant('a rescued job gets a message behind those of purged jobs')
    .replace('core/workers/lost.ts', 'job, { generation: endpoint.generation });', 'job);')
    .killedBy(PURGE, 'does not remove running jobs'),
  mutant('a retry gets a message behind those of purged jobs')
    .replace(
      'core/jobs/queues.ts',
      'jobQueues.send(queueOf(endpoint, job, generation), messageOf(job, generation), delay)',
      'jobQueues.send(queueOf(endpoint, job), messageOf(job, generation), delay)',
    )
    .killedBy(RETRY, 'sends the job to the current queue after a purge'),
  mutant('a requeued job gets a message behind those of purged jobs')
    .replace(
      'worker/agent/held-jobs.ts',
      'endpoint ? queueOf(endpoint, job, generation) : received.queueUrl',
      'endpoint ? received.queueUrl : queueOf({ normalQueueUrls: ["", ""], lowQueueUrls: ["", ""] }, job)',
    )
    .killedBy(MESSAGE_LIFE, 'requeued after a purge'),
  mutant('jobs of low priority never wait')
    .replace(
      'worker/agent/messages.ts',
      '!yieldsToNormal(endpoint, message.sentAt, ports.clock.now())',
      'yieldsToNormal(endpoint, Infinity, -1)',
    )
    .killedBy(LOW_MESSAGES, 'while normal jobs wait'),
  mutant('jobs of low priority wait for ever')
    .replace('aws/jobs/job-queues.ts', 'Number(Attributes?.SentTimestamp)', 'Number(Attributes?.SentTimestamp) * 2')
    .killedBy(LOW_MESSAGES, 'when it has waited for ten minutes'),
  mutant('a message of low priority is received again immediately')
    .remove('worker/agent/messages.ts', '    await pause(LOW_PRIORITY_PAUSE, stopping.signal);\n')
    .killedBy(LOW_MESSAGES, 'while normal jobs wait'),
  mutant('a job of low priority is faster than a normal job that arrives at the same time')
    .remove('worker/agent/messages.ts', '      await pause(HEAD_START, stopping.signal);\n')
    .killedBy(LOW_MESSAGES, 'that arrives at the same time'),
  mutant('jobs of low priority wait for each other')
    .replace('core/jobs/queues.ts', 'counts.inQueue > counts.lowInQueue', 'counts.inQueue > 0')
    .killedBy(LOW_PRIORITY, 'of low priority'),
  mutant('a job of low priority starts workers')
    .replace(
      'core/workers/concurrency.ts',
      'Math.max(0, inQueue - lowInQueue)',
      'Math.max(0, inQueue - lowInQueue * 0)',
    )
    .killedBy(LOW_MESSAGES, 'starts no worker'),
  mutant('a retry does not extend the retention of the input')
    .remove('core/submission/retry.ts', 'await keepLonger(ports, job, $removeAfter);')
    .killedBy(RETRY, 'with the same id and bytes, and stores them for'),
  mutant('a retry that crashes leaves no message')
    .replace(
      'core/submission/retry.ts',
      'await sendMessage(ports, endpoint, job, { generation: endpoint.generation, delay: RETRY_MESSAGE_DELAY });\n',
      '',
    )
    .killedBy(RETRY, 'a message that starts the job'),
  mutant('a retry assigns the job to the purged generation')
    .replace(
      'core/submission/retry.ts',
      'const facts = { $now: now, $generation: generation, $removeAfter };',
      'const facts = { $now: now, $generation: job.generation, $removeAfter };',
    )
    .killedBy(RETRY, 'sends the job to the current queue after a purge'),
];
