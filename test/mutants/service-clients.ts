/** Mutants of the clients of services, which are the parts of the SDK that its own clients share. */
import { type Mutant, mutant } from './mutant.ts';

const OBJECTS = 'test/aws/s3-objects.test.ts';
const EXECUTIONS = 'test/aws/executions.test.ts';
const DYNAMODB = 'test/aws/dynamodb.test.ts';
const JSON_OPERATION = 'aws/services/json-operation.ts';
const CLIENT = 'aws/services/service-client.ts';
const CONFIGURATION = 'aws/services/configuration.ts';
const RETRIES = 'aws/services/retries.ts';
const HANDLER = 'aws/services/request-handler.ts';
const REQUESTS = 'test/aws/request-handler.test.ts';
const SIGNER = 'aws/services/signer.ts';
const SIGNATURES = 'test/aws/signer.test.ts';
const S3 = 'aws/jobs/s3-operations.ts';

export const serviceClientMutants: readonly Mutant[] = [
  mutant('a service client does not repeat calls')
    .replace(CLIENT, 'withRetries(this.config, () => next(call), call as Call)', 'next(call)')
    .killedBy(OBJECTS, 'is repeated|three attempts'),
  mutant('a service client sends calls without a signature')
    .replace(CLIENT, 'await signer.sign(request, CONFIGURED, properties)', 'request')
    .killedBy(OBJECTS, 'one signature'),
  mutant('a signature has the key of another day')
    .replace(SIGNER, 'latest?.scope !== scope ||', '!latest ||')
    .killedBy(SIGNATURES, 'same as that of the SDK'),
  mutant('a signature has the key of earlier credentials')
    .replace(SIGNER, ' || latest.secret !== secret', '')
    .killedBy(SIGNATURES, 'same as that of the SDK'),
  mutant('a request does not contain the token of temporary credentials')
    .replace(SIGNER, 'if (sessionToken !== undefined)', 'if (sessionToken === "")')
    .killedBy(SIGNATURES, 'same as that of the SDK'),
  mutant('the spaces of a header are signed as they are sent')
    .replace(SIGNER, ".trim().replaceAll(/ +/g, ' ')", '')
    .killedBy(SIGNATURES, 'same as that of the SDK'),
  mutant('a signature contains the path encoded once more')
    .replace(SIGNER, '\\n${path}\\n\\n', '\\n${encodeURI(path)}\\n\\n')
    .killedBy(SIGNATURES, 'same as that of the SDK'),
  mutant('a service client uses the time of a wrong clock')
    .remove(CLIENT, 'signer.successHandler(response, properties);')
    .killedBy(DYNAMODB, 'a wrong clock'),
  mutant('the log of an exception contains the response')
    .replace(CLIENT, 'enumerable: false', 'enumerable: true')
    .killedBy(DYNAMODB, 'are in the error'),
  mutant('an error has no number of attempts')
    .replace(RETRIES, '{ ...error.$metadata, attempts }', '{ ...error.$metadata }')
    .killedBy(REQUESTS, 'number of attempts'),
  mutant('a result has no number of attempts')
    .remove(RETRIES, 'response.output.$metadata.attempts = attempts;')
    .killedBy(DYNAMODB, 'and the result says so'),
  mutant('an aborted call waits until it would be repeated')
    .replace(RETRIES, 'await unlessAborted(next, signal)', 'await next')
    .killedBy(REQUESTS, 'while it waits for its next attempt'),
  mutant('a service client does not know how long to wait')
    .replace(RETRIES, '...(retryAfterHint && { retryAfterHint })', '')
    .killedBy(REQUESTS, 'as late as the service says'),
  mutant('a connection can take any time')
    .replace(HANDLER, 'if (!socket.connecting) return;', 'if (socket) return;')
    .killedBy(REQUESTS, 'without a connection'),
  mutant('a timeout begins before the request has a connection')
    .replace(
      HANDLER,
      "sent.once('socket', (socket) => {\n    responding =",
      "responding = after(limit, '');\n  sent.once('socket', (socket) => {\n    const late =",
    )
    .killedBy(REQUESTS, 'begins when it is sent'),
  mutant('the address of IPv6 is looked up as a name')
    .replace(HANDLER, "hostname.replace(/^\\[(.*)\\]$/, '$1')", 'hostname')
    .killedBy(REQUESTS, 'IPv6'),
  mutant('a service client ignores the configured number of attempts')
    .remove(CONFIGURATION, 'maxAttempts: loadConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS),')
    .killedBy(OBJECTS, 'as many as the environment says'),
  mutant('a service client waits without a limit')
    .replace(
      CONFIGURATION,
      'requestHandler: requestHandler(service.timeouts),',
      "requestHandler: requestHandler('sqs'),",
    )
    .killedBy(OBJECTS, 'TimeoutError'),
  mutant('a lost connection is an error without a name')
    .replace(HANDLER, "LOST.has(error.code ?? '')", 'false')
    .killedBy(REQUESTS, 'when they lose their connection'),
  mutant('a service client calls the public endpoint in place of the configured one')
    .replace(CONFIGURATION, 'new URL(Endpoint ??', 'new URL(Endpoint === undefined ? Endpoint :')
    .killedBy(OBJECTS, 'AWS_ENDPOINT_URL'),
  mutant('a service client assumes the partition of the first Region')
    .replace(CONFIGURATION, '= partition(region);', "= partition('us-east-1');")
    .killedBy(OBJECTS, 'in cn-north-1|is the same as that of the SDK'),
  mutant('a service client ignores FIPS')
    .remove(CONFIGURATION, 'useFipsEndpoint: loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS),')
    .killedBy(OBJECTS, 'FIPS'),
  mutant('a service client ignores dual-stack endpoints')
    .remove(CONFIGURATION, 'useDualstackEndpoint: loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS),')
    .killedBy(OBJECTS, 'DUALSTACK'),
  mutant('a service client omits the path of the endpoint')
    .replace(CLIENT, '`${base}/${path}`', '`/${path}`')
    .killedBy(OBJECTS, 'proxy:4566'),
  mutant('a service client looks for credentials only once')
    .replace(
      CONFIGURATION,
      'credentialDefaultProvider: defaultProvider,',
      'credentials: { accessKeyId: "a", secretAccessKey: "b" },',
    )
    .killedBy(OBJECTS, 'of a container'),
  mutant('a service client treats refusals as success')
    .replace(CLIENT, 'if (status < 300)', 'if (status < 500)')
    .killedBy(OBJECTS, 'NoSuchKey|refuses|not one of S3'),
  mutant('a service client names no error')
    .replace(CLIENT, 'new ServiceException({ name, message,', "new ServiceException({ name: 'Error', message,")
    .killedBy(OBJECTS, 'NoSuchKey|after three attempts'),
  mutant('an object is sent without a checksum')
    .remove(S3, '[CHECKSUM]: checksumOf(body),')
    .killedBy(OBJECTS, 'with its length, type and checksum'),
  mutant('characters of a key are not encoded as in signatures')
    .replace(S3, '.replace(UNENCODED, (c)', ".replace(/[']/g, (c)")
    .killedBy(OBJECTS, 'one signature'),
  mutant('an object is stored without its type')
    .remove(S3, "'content-type': ContentType,")
    .killedBy(OBJECTS, 'are stored so that the SDK reads them'),
  mutant('S3 is not asked for the checksum of an object')
    .replace(S3, "'x-amz-checksum-mode': 'ENABLED'", "'x-amz-checksum-mode': 'DISABLED'")
    .killedBy(OBJECTS, 'does not match the checksum'),
  mutant('the checksum of an object is not compared')
    .replace('aws/jobs/s3-objects.ts', 'checksum !== checksumOf(content)', 'false')
    .killedBy(OBJECTS, 'does not match the checksum'),
  mutant('the checksum of parts is compared with the content')
    .remove(S3, '|| OF_PARTS.test(checksum) ')
    .killedBy(OBJECTS, 'a checksum of parts'),
  mutant('a checksum of an object is required')
    .remove('aws/jobs/s3-objects.ts', 'checksum !== undefined && ')
    .killedBy(OBJECTS, 'no checksum'),
  mutant('a refused object keeps its connection')
    .remove('aws/jobs/s3-objects.ts', '        Body.destroy();\n')
    .killedBy(OBJECTS, 'no memory for the object'),
  mutant('a JSON command names no operation')
    .replace(JSON_OPERATION, '`${target}.${name}`', 'target')
    .killedBy(EXECUTIONS, 'sends the state machine'),
  mutant('an error keeps the namespace of its service')
    .replace(JSON_OPERATION, "type.split('#').at(-1)", 'type')
    .killedBy(EXECUTIONS, 'is throttled|with the error of Step Functions'),
  mutant('an error has none of its fields')
    .replace(CLIENT, 'Object.assign(exception, fields)', 'exception')
    .killedBy(DYNAMODB, 'are in the error'),
  mutant('bytes are sent as Node.js writes them')
    .replace(JSON_OPERATION, 'encode(input), bytesAsText', 'encode(input)')
    .killedBy(DYNAMODB, 'are stored so that the SDK reads'),
  mutant('bytes are read as text')
    .replace(JSON_OPERATION, 'BYTES.test(content) ? textAsBytes : undefined', 'undefined')
    .killedBy(DYNAMODB, 'are read with the values'),
  mutant('sets of bytes are read as text')
    .replace(JSON_OPERATION, "name === 'BS' &&", 'false &&')
    .killedBy(DYNAMODB, 'are read with the values'),
  mutant('missing values are sent')
    .replace('aws/services/dynamodb.ts', 'removeUndefinedValues: true', 'removeUndefinedValues: false')
    .killedBy(DYNAMODB, 'are stored so that the SDK reads'),
  mutant('keys that were not read keep the notation of DynamoDB')
    .remove('aws/services/dynamodb.ts', '  UnprocessedKeys: keys,\n')
    .killedBy(DYNAMODB, 'keys that DynamoDB has not read'),
  mutant('a message is sent to the SQS of the Region')
    .replace(JSON_OPERATION, '...(origin && { origin: origin(input) }),', '')
    .killedBy('test/aws/sqs.test.ts', 'to the address of the queue'),
];
