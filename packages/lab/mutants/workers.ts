/** Mutants of leases, messages and rescues: what keeps a job that its worker loses. */
import { type Mutant, mutant } from './mutant.ts';

export const workerMutants: readonly Mutant[] = [
  mutant('an agent takes jobs without a lease')
    .replace('worker/agent/heartbeat.ts', 'if (readyUntil - clock.now() >= LEASE - BEAT) return;', 'return;')
    .killedBy('test/worker/agent.test.ts', 'has a lease before'),
  mutant('a message is deleted although no lease names its job')
    .remove('worker/agent/heartbeat.ts', '    for (const job of named) job.dropMessage();\n')
    .killedBy('test/worker/message-life.test.ts', 'is deleted when a beat'),
  mutant('beats can overtake each other')
    .replace('worker/agent/heartbeat.ts', 'const renewed = lastBeat.then(renewLease);', 'const renewed = renewLease();')
    .killedBy('test/worker/message-life.test.ts', 'an older lease may still overwrite'),
  mutant('a job is requeued before it has a message')
    .replace(
      'worker/agent/held-jobs.ts',
      'if (!own) await ports.jobQueues.send',
      'await rescue(ports, job, 0);\n      if (!own) await ports.jobQueues.send',
    )
    .killedBy('test/worker/message-life.test.ts', 'exits between'),
  mutant('a beat deletes the message of a requeued job')
    .replace('worker/agent/held-jobs.ts', 'message = undefined;\n    return taken;', 'return taken;')
    .killedBy('test/worker/message-life.test.ts', 'although a beat finishes during'),
  mutant('a draining agent keeps its job')
    .replace(
      'worker/agent/agent.ts',
      "await held.requeueAll({ reason: 'WORKER_STOPPED' });\n      await heartbeat.end();",
      'await heartbeat.end();',
    )
    .killedBy('test/worker/agent.test.ts', 'requeues its job'),
  mutant('one slot of a worker requeues the jobs of another slot')
    .replace('worker/gateway/polls.ts', 'agent.requeueAll(taker)', 'agent.requeueAll()')
    .killedBy('test/worker/gateway.test.ts', 'requeues only the jobs of the slot'),
  mutant('a message that arrives twice at the same time is handled twice')
    .remove('worker/agent/job-loop.ts', ' || taking.has(id)')
    .killedBy('test/worker/message-life.test.ts', 'arrives twice at the same time'),
  mutant('a message is dropped before the end of its job is stored')
    .replace(
      'core/workers/take.ts',
      'stored && (await finalize(ports, stored, endpoint))',
      "stored && (stored.status === 'IN_QUEUE' ? undefined : stored)",
    )
    .killedBy('test/workers/take.test.ts', 'drops messages of jobs'),
  mutant('the message of a lost worker is dropped')
    .replace('core/workers/take.ts', 'return take(ports, worker, message, known);', "return { outcome: 'stale' };")
    .killedBy('test/workers/take.test.ts', 'does not take a job from its worker before the lease has'),
  mutant("the facts' own guards are not checked")
    .replace(
      'aws/jobs/jobs.ts',
      'if (!permitsByFacts(name, facts)) return',
      'if (!permitsByFacts(name, facts) && facts === undefined) return',
    )
    .killedBy('test/workers/take.test.ts', 'does nothing while the lease lasts'),
  mutant('a batch: one failed call loses the messages of the others')
    .replace(
      'worker/agent/messages.ts',
      'if (found.length > 0) return found.slice(0, max);\n    const failure',
      'const failure',
    )
    .killedBy('test/worker/batches.test.ts', 'although another call for messages'),
  mutant('a job is stored before its chunks')
    .remove('worker/agent/chunk-stream.ts', '      await patiently(() => buffer.length > 0);\n')
    .killedBy('test/worker/gateway.test.ts', 'answers 500 to the report of a job'),
  mutant('chunks of a failed write are dropped')
    .replace(
      'worker/agent/chunk-stream.ts',
      'const batch = buffer.slice(0, writing);',
      'const batch = buffer.splice(0, writing);',
    )
    .killedBy('test/worker/chunk-stream.test.ts', 'neither loses nor duplicates'),
  mutant('a worker works unprotected before its lease shows it')
    .replace('worker/agent/take-permit.ts', "    await beatAs('WORKS', before);", "    void beatAs('WORKS', before);")
    .killedBy('test/worker/unprotected.test.ts', 'after its lease shows that it works unprotected'),
  mutant('a refusal with status 200 counts as protection')
    .replace(
      'worker/agent/protection.ts',
      'if (protection?.ProtectionEnabled === enabled) return;',
      'if (response.ok) return;',
    )
    .killedBy('test/worker/protection.test.ts', 'status 200|releases the message'),
  mutant('a job past its deadline is rescued')
    .replace('core/workers/rescue.ts', 'await finalize(ports, job)', 'job as Job')
    .killedBy('test/workers/take.test.ts', 'ran past its deadline'),
  mutant('leases are not read again before jobs are rescued')
    .replace(
      'core/sweeper/sweep.ts',
      'await ports.workers.read(id, worker)',
      '(await ports.workers.list(id)).find((listed) => listed.worker === worker)',
    )
    .killedBy('test/sweeper/sweep.test.ts', 'that has renewed its lease since the list'),
  mutant('a rescued job has no message')
    .remove('core/workers/lost.ts', 'await sendMessage(ports, endpoint, job, { generation: endpoint.generation });')
    .killedBy('test/sweeper/sweep.test.ts', 'lose their jobs when their lease has ended'),
  mutant('a job is requeued before its message is sent')
    .replace(
      'core/workers/lost.ts',
      'await sendMessage(ports, endpoint, job, { generation: endpoint.generation });\n  return rescue(ports, job, leaseEnds, endpoint.generation, reason);',
      'const back = await rescue(ports, job, leaseEnds, endpoint.generation, reason);\n  await sendMessage(ports, endpoint, job, { generation: endpoint.generation });\n  return back;',
    )
    .killedBy('test/sweeper/sweep.test.ts', 'could not be requeued'),
  mutant('a renewed lease is removed')
    .replace(
      'aws/workers/leases.ts',
      "conditionExpression(compare('endsAt', '<=', endsAt))",
      "conditionExpression(compare('endsAt', '>=', 0))",
    )
    .killedBy('test/sweeper/sweep.test.ts', 'keep their lease and lose their jobs'),
  mutant('messages that are lost during a sweep count as sent')
    .replace(
      'aws/endpoints/endpoints.ts',
      "condition: compare('hintsLostAt', '=', lostAt),",
      "condition: compare('hintsLostAt', '>=', lostAt),",
    )
    .killedBy('test/sweeper/lost-messages.test.ts', 'while a sweep sent others'),
];
