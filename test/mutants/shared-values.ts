/** Mutants of the values that stacks share, and of the treatment of jobs when a stack changes. */
import { type Mutant, mutant } from './mutant.ts';

const SWEEP = 'test/sweeper/lost-messages.test.ts';
const MESSAGES = 'core/sweeper/lost-messages.ts';

export const sharedValueMutants: readonly Mutant[] = [
  mutant('a further zone moves the existing subnets')
    .remove('lib/network/network.ts', '    reservedAzs: MAX_ZONES - (availabilityZones?.length ?? ZONES),\n')
    .killedBy('test/lib/network/network.test.ts', 'does not change the addresses of existing subnets, which'),
  mutant('queues accept messages from every role of the account')
    .remove('lib/jobs/queue-senders.ts', "conditions: { ArnLike: { 'aws:PrincipalArn': roles } },")
    .killedBy('test/lib/deployment/endpoint.test.ts', 'accept messages only from functions that accept or'),
  mutant('messages that are lost during a sweep count as sent')
    .replace(
      'aws/endpoints/endpoints.ts',
      "condition: compare('hintsLostAt', '=', lostAt),",
      "condition: compare('hintsLostAt', '>=', lostAt),",
    )
    .killedBy(SWEEP, 'while a sweep sent others'),
  mutant('every sweep sends the messages of an endpoint that is added again')
    .replace(
      'aws/endpoints/endpoints.ts',
      "compare('hintsClaimedAt', '>', now - RESEND_TIMEOUT)",
      "compare('hintsClaimedAt', '>', now)",
    )
    .killedBy(SWEEP, 'by one of several simultaneous sweeps'),
  mutant('a job without a lease gets no message when its endpoint is added again')
    .replace(
      MESSAGES,
      'if (!waits(job, endpoint, now) && !isStray(job)) continue;',
      'if (!waits(job, endpoint, now)) continue;',
    )
    .killedBy(SWEEP, 'are sent again immediately and only once when a removed'),
  mutant('a job that a lease names gets a message when its endpoint is added again')
    .replace(MESSAGES, "job.status === 'IN_PROGRESS' && !named.has(job.id)", "job.status === 'IN_PROGRESS'")
    .killedBy(SWEEP, 'are sent again immediately and only once when a removed'),
];
