/** Mutants of single rules. */
import { type Mutant, mutant } from './mutant.ts';

const STORED = 'test/aws/jobs.test.ts';
const MACHINE = 'test/jobs/machine.test.ts';
const TAKE = 'test/workers/take.test.ts';
const STATUS = 'test/status/status.test.ts';
const JSON_TEXT = 'test/json/json.test.ts';
const KEY = 'test/keys/key.test.ts';
const AUTHORIZE = 'test/keys/authorize.test.ts';
const RUN = 'test/submission/run.test.ts';
const HTTP = 'test/lambda/http.test.ts';
const REGISTER = 'test/lambda/register.test.ts';

const COLD = 'test/bench/cold/cold.test.ts';

export const unitMutants: readonly Mutant[] = [
  mutant('take does not check the status')
    .replace(
      'core/jobs/transitions.ts',
      "  take: {\n    from: ['IN_QUEUE'],",
      "  take: {\n    from: ['IN_QUEUE', 'COMPLETED'],",
    )
    .killedBy(MACHINE, 'take from'),
  mutant('take does not check the ttl')
    .replace(
      'core/jobs/transitions.ts',
      "to: 'IN_PROGRESS',\n    when: [\n      ['$now', '<', 'queueDeadline'],\n",
      "to: 'IN_PROGRESS',\n    when: [\n",
    )
    .killedBy(MACHINE, 'take of'),
  mutant('take does not check the generation')
    .replace(
      'core/jobs/transitions.ts',
      "      ['generation', '>=', '$generation'],\n    ],\n    set: {\n      worker",
      '    ],\n    set: {\n      worker',
    )
    .killedBy(MACHINE, 'take of'),
  mutant('reports are not fenced by attempt')
    .remove('core/jobs/transitions.ts', "  ['attempt', '=', '$attempt'],\n")
    .killedBy(MACHINE, '(progress|complete|fail) of'),
  mutant('reports are not fenced by worker')
    .remove('core/jobs/transitions.ts', "  ['worker', '=', '$worker'],\n")
    .killedBy(MACHINE, '(complete|fail) of'),
  mutant('retry does not check the expiry')
    .replace('core/jobs/transitions.ts', "    when: [['$now', '<', 'expiresAt']],", '    when: [],')
    .killedBy(MACHINE, 'retry of'),
  mutant('requeue does not check the lease')
    .replace(
      'core/jobs/transitions.ts',
      "['$leaseEnds', '<', '$now'], ['attempt', '<', 'attemptLimit']",
      "['attempt', '<', 'attemptLimit']",
    )
    .killedBy(MACHINE, 'requeue of'),
  mutant('the compiled write drops the guards')
    .remove(
      'aws/conditional-write.ts',
      '    ...guardsOnJob(row).map(([left, is, right]) => `${operand(left)} ${is} ${operand(right)}`),\n',
    )
    .killedBy(TAKE, 'drops messages of jobs|for a worker that lost'),
  mutant('the compiled write ignores the status')
    .replace(
      'aws/conditional-write.ts',
      "`${status} IN (${from.map(literal).join(', ')})`",
      '`attribute_exists(${status})`',
    )
    .killedBy(TAKE, 'starts the job for one|drops messages'),
  mutant('the compiled write ignores the schema version')
    .remove('aws/conditional-write.ts', '    ofKnownVersion(),\n')
    .killedBy('test/stored-items/newer.test.ts', 'a job of a newer version'),
  mutant("the facts' own guards are not checked")
    .replace(
      'aws/jobs/jobs.ts',
      'if (!permitsByFacts(name, facts)) return',
      'if (!permitsByFacts(name, facts) && facts === undefined) return',
    )
    .killedBy(TAKE, 'does nothing while the lease lasts'),
  mutant('retention is a second longer')
    .replace('core/jobs/ending.ts', 'now < job.expiresAt', 'now < job.expiresAt + 1_000')
    .killedBy(STATUS, '30 minutes'),
  mutant('the escapes of a string are ignored')
    .replace(
      'core/json/scan.ts',
      'if (byte === BACKSLASH) at = afterEscape(bytes, at);',
      'if (byte === BACKSLASH) at += 1;',
    )
    .killedBy(JSON_TEXT, 'contains braces'),
  mutant('nesting has no limit')
    .replace('core/json/scan.ts', 'if (depth === payloadLimits.depth)', 'if (depth < 0)')
    .killedBy(JSON_TEXT, 'is refused for its depth only above the maximum'),
  mutant('the checksum of a key is not checked')
    .replace('core/keys/key.ts', 'inBase62(crc32(body), CHECK_LENGTH) === check', 'check !== undefined')
    .killedBy(KEY, 'after a change of any character'),
  mutant('an expired key is accepted')
    .replace(
      'core/authorizer/authorize.ts',
      'now + cachedFor >= key.expiresAt',
      'now + cachedFor >= key.expiresAt + 1_000',
    )
    .killedBy(AUTHORIZE, 'is refused as soon as it expires'),
  mutant('a key is accepted beyond its expiry by a cached decision')
    .replace('core/authorizer/authorize.ts', 'now + cachedFor >=', 'now >=')
    .killedBy(AUTHORIZE, 'is refused before it expires if the decision'),
  mutant('caches accept a revoked key for more than a minute')
    .replace('core/limits.ts', 'KEY_CACHE = 25 * SECOND', 'KEY_CACHE = MINUTE')
    .killedBy(AUTHORIZE, 'is refused a minute after it was revoked'),
  mutant('a key can call every endpoint')
    .replace('core/authorizer/authorize.ts', 'if (!mayCall(key, operation, endpoint))', 'if (!key)')
    .killedBy(AUTHORIZE, 'permits only its endpoints'),
  mutant('all endpoints share a bucket')
    .replace(
      'core/authorizer/authorize.ts',
      '? endpoint : sharedBuckets.unknownEndpoint',
      '? sharedBuckets.unknownEndpoint : sharedBuckets.unknownEndpoint',
    )
    .killedBy(AUTHORIZE, 'belongs to the endpoint, to all unknown endpoints, or to'),
  mutant('a job of low priority is sent to the normal queue')
    .replace('core/jobs/queues.ts', 'lowPriority ? lowQueueUrls : normalQueueUrls', 'normalQueueUrls')
    .killedBy(RUN, 'sends the message to a queue for the priority of the job'),
  mutant('a job is acknowledged although its message was not sent')
    .replace('core/submission/submit.ts', 'await sendMessage(', 'void sendMessage(')
    .killedBy(RUN, 'does not acknowledge a job without a message'),
  mutant('the policy does not override the settings of the endpoint')
    .replace(
      'core/submission/submit.ts',
      'policy.executionTimeout ?? endpoint.executionTimeout',
      'endpoint.executionTimeout',
    )
    .killedBy(RUN, 'uses the policy of the request instead of the settings of'),
  mutant('an internal error shows its cause')
    .replace(
      'core/http/respond.ts',
      'const message = state.jobId === undefined ? failedRequest : failedSubmission;',
      'const message = (error as Error)?.message;',
    )
    .killedBy(HTTP, 'answers 500 for any other error, logs it, and hides it'),
  mutant('a registration sends no response')
    .replace('lambda/custom-resource.ts', 'body: Buffer.from(JSON.stringify(answer))', 'body: JSON.stringify(answer)')
    .killedBy(REGISTER, 'without a content type'),
  mutant('workers are started as if each ran one job')
    .replace('core/workers/concurrency.ts', 'load / jobsPerWorker(endpoint)', 'load')
    .killedBy('test/workers/scale.test.ts', 'are fewer if each runs several jobs at the same time'),
  mutant('a changed attribute is not stored')
    .replace(
      'aws/conditional-write.ts',
      'const sets = changes.filter(([, term]) => !isNothing(term));',
      'const sets = changes.filter(([, term]) => !isNothing(term));\n  changes.length = 0;',
    )
    .killedBy(STORED, 'in memory'),
  mutant('a missing output is stored like one that was not missing before')
    .replace('aws/conditional-write.ts', "[name, ...missing].join(' ')", 'name')
    .killedBy(STORED, 'in memory'),
  mutant('an existing job is overwritten')
    .remove('aws/jobs/jobs.ts', "        ...conditionExpression(notExists('id')),\n")
    .killedBy(STORED, 'is created only once'),
  mutant('the agent does not notice a deadline')
    .replace('core/workers/hold.ts', "return isOverTime(stored, ran) ? 'timed out' : undefined;", 'return undefined;')
    .killedBy('test/workers/hold.test.ts', 'has lost the job after its time-out'),
  mutant('the message of a lost worker is dropped')
    .replace(
      'core/workers/take.ts',
      'return take(ports, worker, message, $aggregates);',
      "return { outcome: 'stale' };",
    )
    .killedBy('test/workers/take.test.ts', 'does not take a job from its worker before the lease has'),
  mutant('an object of another endpoint is read')
    .replace('core/jobs/payload.ts', 'if (owner?.endpoint !== endpoint || owner.id !== id)', 'if (!owner)')
    .killedBy('test/jobs/references.test.ts', 'of another endpoint'),
  mutant('a retry writes an object without a check of its owner')
    .replace(
      'core/jobs/payload.ts',
      'await loadObject(ports, job, ref.object, MAX_INPUT_BYTES)',
      'await ports.objects.read(ref.object)',
    )
    .killedBy('test/jobs/references.test.ts', 'by a retry'),
  mutant('slow imports of functions are accepted')
    .replace('test/bench/cold/main.ts', 'processor <= BOUND', 'processor <= 100 * BOUND')
    .killedBy(COLD, 'more processor time than the bound'),
  mutant('large functions are accepted')
    .replace('test/bench/cold/main.ts', 'gzipBytes <= BUNDLE_BOUND', 'bytes > 0')
    .killedBy(COLD, 'is larger than the bound'),
  mutant('functions are imported without the environment of the template')
    .replace('test/bench/cold/environment.ts', ', ...Object.fromEntries(own)', '')
    .killedBy(COLD, 'with their environment'),
  mutant('a module without a handler is measured')
    .remove(
      'test/bench/cold/import.ts',
      "if (typeof handler !== 'function') throw new Error('The module exports no handler.');",
    )
    .killedBy(COLD, 'exports no handler'),
  mutant('functions have no bound for their size')
    .replace('test/bench/bundles.ts', '220 * 1_024', '150 * 1_024')
    .killedBy('test/lib/constructs/bundles.test.ts', 'bytes for each function'),
  mutant('functions contain the providers of other credentials')
    .remove('lib/constructs/bundle.ts', 'external: OTHER_CREDENTIALS,')
    .killedBy('test/lib/constructs/bundles.test.ts', 'bytes for each function'),
];
