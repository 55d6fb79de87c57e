/** Mutants of the order of writes and messages when jobs are submitted and retried. */
import { type Mutant, mutant } from './mutant.ts';

export const submissionMutants: readonly Mutant[] = [
  mutant('a job is acknowledged although its message was not sent')
    .replace(
      'core/submission/submit.ts',
      '  await sendMessage(ports, endpoint, job);',
      '  sendMessage(ports, endpoint, job).catch(() => undefined);',
    )
    .killedBy('test/submission/run.test.ts', 'does not acknowledge a job without a message'),
  mutant('a job is stored before its id is reported as possibly stored')
    .replace(
      'core/submission/submit.ts',
      '  mayBeStored(id);\n  await ports.jobs.create(job);\n',
      '  await ports.jobs.create(job);\n  mayBeStored(id);\n',
    )
    .killedBy('test/submission/run.test.ts', 'reports the id of a job only if the job might have been'),
  mutant('the last of several requests acquires an idempotency key')
    .replace('aws/submission/idempotency-keys.ts', "compare('expiresAt', '<=', now)", "compare('expiresAt', '>=', now)")
    .killedBy('test/submission/idempotency.test.ts', 'create one job, which all of them return'),
  mutant('a retry that crashes leaves no message')
    .replace(
      'core/submission/retry.ts',
      'await sendMessage(ports, endpoint, job, { generation: endpoint.generation, delay: RETRY_MESSAGE_DELAY });\n',
      '',
    )
    .killedBy('test/submission/retry.test.ts', 'a message that starts the job'),
  mutant('a retry assigns the job to the purged generation')
    .replace(
      'core/submission/retry.ts',
      'const facts = { $now: now, $generation: generation, $removeAfter };',
      'const facts = { $now: now, $generation: job.generation, $removeAfter };',
    )
    .killedBy('test/submission/retry.test.ts', 'sends the job to the current queue after a purge'),
  mutant('a retry writes an object without a check of its owner')
    .replace(
      'core/jobs/payload.ts',
      'await loadObject(ports, job, ref.object, MAX_INPUT_BYTES)',
      'await ports.objects.read(ref.object)',
    )
    .killedBy('test/jobs/references.test.ts', 'by a retry'),
];
