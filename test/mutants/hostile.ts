/** Mutants of the protection of endpoints against workers of other endpoints. */
import { type Mutant, mutant } from './mutant.ts';

const UNREADABLE = 'test/aws/unreadable.test.ts';
const RECORD = 'test/ledger/record.test.ts';
const HANDLER = 'test/lambda/ledger-record.test.ts';
const SWEEP = 'test/sweeper/sweep.test.ts';
const ENDPOINT = 'test/lib/deployment/endpoint.test.ts';
const HOSTILE = 'test/acceptance/hostile-worker.test.ts';
const REQUESTS = 'test/acceptance/hostile-requests.long.ts';
const ANSWERED = 'are all answered without 5xx';

export const hostileMutants: readonly Mutant[] = [
  mutant('one invalid job item stops the ledger')
    .replace(
      'aws/jobs/job-stream.ts',
      '(image ? jobFrom(itemIn(image)) : undefined)',
      "(image && !('value' in readJob(itemIn(image))) ? JSON.parse('no job') : image ? jobFrom(itemIn(image)) : undefined)",
    )
    .killedBy(HOSTILE, 'does not delay the workers'),
  mutant('a job item can name another endpoint than its partition')
    .replace(
      'aws/jobs/job-item.ts',
      "if ('endpoint' in fields && fields.endpoint !== endpoint)",
      "if ('endpoint' in fields && !endpoint)",
    )
    .killedBy(UNREADABLE, 'names another endpoint'),
  mutant('a job item can be in the partition of another job')
    .replace('aws/jobs/job-item.ts', 'if (partition !== partitionOf(read.value))', 'if (partition === undefined)')
    .killedBy(UNREADABLE, 'is in another partition'),
  mutant('a job item can have an invalid time')
    .replace('aws/jobs/job-item.ts', 'value > LATEST', 'value > LATEST ** 2')
    .killedBy(UNREADABLE, 'outside the range of dates'),
  mutant('a number with many digits stops readers and the ledger')
    .replace('aws/images.ts', 'unmarshall(image as Image, anyNumber)', 'unmarshall(image as Image)')
    .killedBy(UNREADABLE, 'JavaScript cannot represent'),
  mutant('an invalid job item is not counted')
    .replace('lambda/ledger/record.ts', '[...unreadable.filter(isOver), ...givenUp]', '[...givenUp]')
    .killedBy(HOSTILE, 'is counted for its endpoint'),
  mutant('the log contains the contents of invalid items')
    .replace(
      'aws/readable.ts',
      '.map(({ path, code }) => `${pathOf(path)}: ${code}`)',
      '.map(({ path, code }) => `${pathOf(path)}: ${code} ${JSON.stringify(item)}`)',
    )
    .killedBy(HOSTILE, 'logged without its contents'),
  mutant('one endpoint that cannot be recorded stops the others')
    .replace('core/ledger/record.ts', 'return [{ endpoint, changes: ofEndpoint, error }];', 'throw error;')
    .killedBy(RECORD, 'records the other endpoints'),
  mutant('endpoints of a batch are recorded one after another')
    .replace('core/limits.ts', 'export const RECORDED_AT_ONCE = 10;', 'export const RECORDED_AT_ONCE = 1;')
    .killedBy(RECORD, 'does not delay other endpoints because of a slow endpoint'),
  mutant('the changes of a failing endpoint are repeated for ever')
    .replace(
      'core/ledger/repeats.ts',
      'const isLeft = lately.length < max;',
      'const isLeft = lately.length <= max * 100;',
    )
    .killedBy(HANDLER, 'sets its changes aside'),
  mutant('Lambda retries a whole batch that failed in part')
    .remove('lib/ledger/ledger.ts', '      reportBatchItemFailures: true,\n')
    .killedBy('test/lib/ledger/ledger.test.ts', 'reads the jobs stream from its start in batches of a'),
  mutant('a delivery for an invalid job item is retried')
    .replace(
      'lambda/webhooks/deliver.ts',
      "    return { state: 'SET_ASIDE' };",
      "    throw new Unacknowledged('It is no job.');",
    )
    .killedBy(HOSTILE, 'is counted for|starts deliveries that stop'),
  mutant('a list of jobs stops at an invalid item')
    .replace('aws/jobs/jobs.ts', 'yield* jobsIn(Items);', 'yield* Items.map((item) => jobFrom(item) as Job);')
    .killedBy(UNREADABLE, 'is ignored by all readers if it'),
  mutant('a query of jobs stops at an invalid item')
    .replace(
      'aws/jobs/newest-jobs.ts',
      'yield* jobsIn(page.Items ?? []).filter(',
      'yield* (page.Items ?? []).map((item) => item as unknown as Job).filter(',
    )
    .killedBy(UNREADABLE, 'is ignored by all readers if it'),
  mutant('a transition returns an invalid job item')
    .replace(
      'aws/jobs/jobs.ts',
      'return job ? { moved: true, job } : { moved: false, repeated: false };',
      'return { moved: true, job: job as Job };',
    )
    .killedBy(UNREADABLE, 'is not found by a transition to a final status, even if'),
  mutant('one invalid lease item hides the others')
    .replace(
      'aws/workers/leases.ts',
      "    if ('value' in read) return [read.value];\n",
      "    if ('value' in read) return [read.value];\n    throw new Error('It is not a lease.');\n",
    )
    .killedBy(SWEEP, 'are swept even if another endpoint is slow'),
  mutant('a lease can name any number of jobs')
    .remove('core/workers/lease.ts', '.check(z.maxLength(MAX_JOBS))')
    .killedBy(UNREADABLE, 'more jobs than a worker can have'),
  mutant('one invalid chunk item ends a stream')
    .replace(
      'aws/streams/chunks.ts',
      '            continue;\n          }\n',
      "            continue;\n          }\n          if (name) throw new Error('It is not a chunk.');\n",
    )
    .killedBy(UNREADABLE, 'is omitted from the stream of its job if it is not a chunk'),
  mutant('the slow sweep of one endpoint delays other endpoints')
    .replace('core/sweeper/sweep.ts', 'export const SWEPT_AT_ONCE = 25;', 'export const SWEPT_AT_ONCE = 1;')
    .killedBy(SWEEP, 'are swept even if'),
  mutant('a role of workers allows a pattern of partitions')
    .replace(
      'lib/constructs/retained-table.ts',
      "[typeof partitions === 'string' ? 'ForAllValues:StringLike' : 'ForAllValues:StringEquals']: {\n    'dynamodb:LeadingKeys': [partitions].flat(),\n  },",
      "'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions].flat().map((partition) => partition.replace(/#.*/, '#*')) },",
    )
    .killedBy(HOSTILE, 'may not read or write jobs in the partition echo#4'),
  mutant('workers can update items of another partition')
    .replace(
      'lib/jobs/tables.ts',
      "['GetItem', 'UpdateItem'], reason, partitionsOf(endpoint)",
      "['GetItem', 'UpdateItem'], reason, [...partitionsOf(endpoint), volumePartitionOf(endpoint)]",
    )
    .killedBy(ENDPOINT, 'allows on Jobs only'),
  mutant('a body that is not JSON is an internal error')
    .replace(
      'core/json/scan.ts',
      'return new InvalidRequest(`The body is not valid JSON:',
      'throw new Error(`The body is not valid JSON:',
    )
    .killedBy(REQUESTS, ANSWERED),
  mutant('a body that is too large is never answered')
    .replace(
      'local/gateway/handle.ts',
      "if (!request.body) throw new Refusal('REQUEST_TOO_LARGE');",
      'if (!request.body) await new Promise(() => undefined);',
    )
    .killedBy(REQUESTS, ANSWERED),
  mutant('a job can refer to an object of another endpoint')
    .replace('core/jobs/payload.ts', 'if (owner?.endpoint !== endpoint || owner.id !== id)', 'if (owner === undefined)')
    .killedBy(REQUESTS, ANSWERED),
  mutant('a key can call all endpoints')
    .replace('core/authorizer/authorize.ts', 'if (!mayCall(key, operation, endpoint))', 'if (!mayCall(key, operation))')
    .killedBy(REQUESTS, `${ANSWERED}|change nothing in an endpoint`),
  mutant('a private template is visible to every owner')
    .replace(
      'core/templates/access.ts',
      'template.owner === owner || template.isPublic || isOfficial(template)',
      "template.owner === owner || !isOfficial(template) || owner !== ''",
    )
    .killedBy(REQUESTS, ANSWERED),
  mutant('a webhook can call any address that its host name resolves to')
    .replace(
      'lambda/webhooks/egress/post.ts',
      'addresses.every((address) => isCallable(address, networks))',
      'addresses.every((address) => isCallable(address, networks) || literal === undefined)',
    )
    .killedBy(REQUESTS, 'cause no webhook'),
  mutant('a request can take any time to arrive')
    .replace('local/network/address.ts', 'server.requestTimeout = REQUEST_TIMEOUT;', 'server.requestTimeout = 0;')
    .killedBy(REQUESTS, 'if they are never completed'),
];
