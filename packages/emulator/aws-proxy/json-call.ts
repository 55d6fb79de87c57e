/** Handles calls to services with JSON protocols, whether an emulator or this process serves them. */
import type { IncomingMessage } from 'node:http';
import { AwsFault } from './aws-fault.ts';
import { type Backend, type Call, recordDescribed } from './call.ts';
import { type Described, unknownOperation } from './described.ts';
import { describeDynamodb } from './dynamodb.ts';
import { endToEnd } from './forward.ts';
import type { JsonService } from './json-service.ts';
import { type Measure, measureDynamodb, measureSqs } from './measure.ts';
import { describeSqs } from './sqs.ts';
import { createStreams } from './streams.ts';

/** A parsed request. */
interface Operation {
  /** Prefix of the operation's name, such as `DynamoDB_20120810`. */
  readonly family: string;
  readonly name: string;
  readonly input: object;
  readonly body: Buffer;
}

/** How an emulated service is called. */
interface Emulation {
  readonly origin: string;
  describe(operation: Operation): Described;
  measure(operation: Operation): Measure;
}

const unmeasured = ({ body }: Operation): Measure => ({
  body,
  read: (_, headers, answered) => ({ headers, body: answered, measured: {} }),
});

const BODY_LIMIT = 64 * 1024 * 1024;

function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT) chunks.push(chunk);
    else reject(new AwsFault(413, 'RequestEntityTooLarge', `The body is over ${BODY_LIMIT} bytes.`));
  });
  incoming.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  incoming.once('error', reject);
  return promise;
}

function parse(body: Buffer): object {
  try {
    const input: unknown = JSON.parse(body.toString());
    if (typeof input === 'object' && input !== null) return input;
  } catch {
    // Invalid JSON is refused below, like every body that is not an object.
  }
  throw new AwsFault(400, 'SerializationException', 'The body is not a JSON object.');
}

async function readOperation(incoming: IncomingMessage): Promise<Operation> {
  const { method = '', url = '', headers } = incoming;
  const body = await readBody(incoming);
  const target = headers['x-amz-target'];
  // Lambda and API Gateway identify their operations by method and path, and not all of them have a body.
  if (target === undefined)
    return { family: '', name: `${method} ${url}`, input: body.length > 0 ? parse(body) : {}, body };
  const [family = '', name = ''] = String(target).split('.');
  return { family, name, input: parse(body), body };
}

export function createJsonAnswering(backend: Backend): (call: Call) => Promise<void> {
  const { emulators, tables, services, verify, gate, forwarder, perform, log } = backend;
  const describeStreams = createStreams();

  const emulations: Readonly<Record<string, Emulation>> = {
    dynamodb: {
      origin: emulators.dynamodbUrl,
      describe: ({ family, name, input }) =>
        family.startsWith('DynamoDBStreams_') ? describeStreams(name, input) : describeDynamodb(name, input, tables),
      measure: ({ name, input, body }) => measureDynamodb(name, input, body),
    },
    sqs: {
      origin: emulators.sqsUrl,
      describe: ({ name, input }) => describeSqs(name, input),
      measure: ({ name, body }) => measureSqs(name, body),
    },
  };

  async function emulate(call: Call, operation: Operation, emulation: Emulation): Promise<void> {
    const described = emulation.describe(operation);
    recordDescribed(call, described);
    gate(call.caller, described.accesses);
    const measure = log ? emulation.measure(operation) : unmeasured(operation);
    // Responses are small, so each is read as a whole and written in one step.
    const answer = await perform(call, described, () => forwarder.send(call, emulation.origin, measure.body));
    const { headers, body, measured } = measure.read(answer.statusCode, answer.headers, answer.body);
    Object.assign(call.findings, measured, { responseBytes: body.length });
    const passed = endToEnd(headers);
    passed['content-length'] = String(body.length);
    call.outgoing.writeHead(answer.statusCode, passed).end(body);
  }

  async function serve(call: Call, { name, input }: Operation, service: JsonService): Promise<void> {
    const { caller, findings, outgoing } = call;
    const { also = [], ...access } = service.authorization(name, input);
    const described = { accesses: [access, ...also] };
    recordDescribed(call, described);
    gate(caller, described.accesses);
    const { roleArn, sessionArn } = caller;
    const answer = await perform(call, described, () => service.call(name, input, { roleArn, sessionArn }));
    const body = JSON.stringify(answer ?? {});
    findings.responseBytes = Buffer.byteLength(body);
    outgoing.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(body);
  }

  return async (call) => {
    const operation = await readOperation(call.incoming);
    await verify(call.incoming, call.caller, operation.body);
    call.findings.operation = operation.name;
    call.findings.requestBytes = operation.body.length;
    const { service: name } = call.caller;
    const emulation = Object.hasOwn(emulations, name) ? emulations[name] : undefined;
    if (emulation) return emulate(call, operation, emulation);
    const service = services.get(name);
    if (!service) throw unknownOperation(name, operation.name);
    return serve(call, operation, service);
  };
}
