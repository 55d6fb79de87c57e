/** Mutants of the fences and conditional writes of jobs, and of purges. */
import { type Mutant, mutant } from './mutant.ts';

export const jobMutants: readonly Mutant[] = [
  mutant('reports are not fenced by attempt')
    .remove('core/jobs/transitions.ts', "  ['attempt', '=', '$attempt'],\n")
    .killedBy('test/jobs/machine.test.ts', 'evaluate'),
  mutant('reports are not fenced by worker')
    .remove('core/jobs/transitions.ts', "  ['worker', '=', '$worker'],\n")
    .killedBy('test/jobs/machine.test.ts', 'evaluate'),
  mutant('the compiled write drops the guards')
    .remove(
      'aws/conditional-write.ts',
      '    ...guardsOnJob(row).map(([left, is, right]) => `${operand(left)} ${is} ${operand(right)}`),\n',
    )
    .killedBy('test/workers/take.test.ts', 'drops messages of jobs|for a worker that lost'),
  mutant('the compiled write ignores the schema version')
    .remove('aws/conditional-write.ts', '    ofKnownVersion(),\n')
    .killedBy('test/stored-items/newer.test.ts', 'a job of a newer version'),
  mutant('an existing job is overwritten')
    .remove('aws/jobs/jobs.ts', "        ...conditionExpression(notExists('id')),\n")
    .killedBy('test/aws/jobs.test.ts', 'is created only once'),
  mutant('a timeout is shown but not stored')
    .replace(
      'core/jobs/ending.ts',
      "timeout: (facts) => jobs.move('timeout', job, facts),",
      "timeout: async (facts) => ({ moved: true, job: (await import('./machine.ts')).apply('timeout', job, facts) }),",
    )
    .killedBy('test/status/status.test.ts', 'stores the end that it returns'),
  mutant('a cancellation does not read the job again')
    .replace('core/stored-items/conflicts.ts', '  job: 5,', '  job: 1,')
    .killedBy('test/jobs/cancel.test.ts', 'simultaneous report'),
  mutant('a purge returns before the caches have expired')
    .remove('core/jobs/purge-queue.ts', 'await ports.clock.pause(PURGE_PAUSE);')
    .killedBy('test/jobs/purge-queue.test.ts', 'although another process'),
  mutant('an old message of a requeued job is dropped')
    .remove('core/jobs/queues.ts', "if (job?.status === 'IN_QUEUE') return job.generation < endpoint.generation;")
    .killedBy('test/worker/purged-messages.test.ts', 'starts the job that a worker requeued'),
  mutant('a rescued job keeps its generation')
    .replace(
      'core/jobs/transitions.ts',
      "      generation: '$generation',\n    },\n    remove: [...traceOfRun],\n  },",
      '    },\n    remove: [...traceOfRun],\n  },',
    )
    .killedBy('test/workers/take.test.ts', 'assigns the job to the current generation, so that a'),
];
