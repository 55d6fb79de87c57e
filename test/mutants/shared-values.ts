/** Breaks of what stacks share, and of what becomes of jobs when a stack changes. */
import type { Mutant } from './mutant.ts';

const NAMES = 'test/lib/constructs/shared-values.test.ts';
const SWEEP = 'test/sweeper/lost-messages.test.ts';
const MESSAGES = 'core/sweeper/lost-messages.ts';

export const sharedValueMutants: readonly Mutant[] = [
  {
    name: 'a stack exports what others need',
    file: 'lib/constructs/shared-value.ts',
    replace: 'return stack === Stack.of(this) ? this.#value : this.parameterOf(stack).valueAsString;',
    by: 'return this.#value;',
    test: NAMES,
    named: 'is imported for the functions',
  },
  {
    name: 'a stack may be deployed before the value that it reads',
    file: 'lib/constructs/shared-value.ts',
    replace: '    reader.addStackDependency(Stack.of(this));\n',
    by: '',
    test: NAMES,
    named: 'which come after it',
  },
  {
    name: 'another zone moves the subnets that are there',
    file: 'lib/network/network.ts',
    replace: '    reservedAzs: MOST_ZONES - (availabilityZones?.length ?? ZONES),\n',
    by: '',
    test: 'test/lib/network/network.test.ts',
    named: 'leaves the addresses of the subnets',
  },
  {
    name: 'queues let in every role of the account',
    file: 'lib/jobs/queue-senders.ts',
    replace: "conditions: { ArnLike: { 'aws:PrincipalArn': roles } },",
    by: '',
    test: 'test/lib/deployment/endpoint.test.ts',
    named: 'let those send who accept jobs',
  },
  {
    name: 'messages lost since are taken for sent',
    file: 'aws/endpoints.ts',
    replace: "ConditionExpression: 'hintsLostAt = :lostAt',",
    by: "ConditionExpression: 'hintsLostAt >= :lostAt',",
    test: SWEEP,
    named: 'while a sweep sent others',
  },
  {
    name: 'every sweep sends the messages of an endpoint that is added again',
    file: 'aws/endpoints.ts',
    replace: "ConditionExpression: 'hintsLostAt = :lostAt AND NOT hintsClaimedAt > :before',",
    by: "ConditionExpression: 'hintsLostAt = :lostAt AND NOT hintsClaimedAt > :now AND :before < :now',",
    test: SWEEP,
    named: 'by one of several sweeps',
  },
  {
    name: 'a job that no lease names is left alone when its endpoint is added again',
    file: MESSAGES,
    replace: 'if (!waits(job, endpoint, now) && !isStray(job)) continue;',
    by: 'if (!waits(job, endpoint, now)) continue;',
    test: SWEEP,
    named: 'that was removed is deployed again',
  },
  {
    name: 'a job that a lease names gets a message when its endpoint is added again',
    file: MESSAGES,
    replace: "job.status === 'IN_PROGRESS' && !named.has(job.id)",
    by: "job.status === 'IN_PROGRESS'",
    test: SWEEP,
    named: 'that was removed is deployed again',
  },
];
