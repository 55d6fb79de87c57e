/**
 * Clients of services of which this project uses some operations. They are the parts of the AWS SDK that all its
 * clients share: credentials, endpoint, signature, retries and timeouts. The clients of the SDK add models of all
 * operations, and interpret a model for each call (ADR 0025, ADR 0027).
 */
import { AwsSdkSigV4Signer } from '@aws-sdk/core/httpAuthSchemes';
import { constructStack, ServiceException } from '@smithy/core/client';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { type Configuration, configurationOf, type Service } from './configuration.ts';
import { withRetries } from './retries.ts';

export interface Metadata {
  readonly httpStatusCode: number;
  readonly requestId?: string;
  /** Number of attempts of the call. */
  attempts?: number;
}
export interface Result {
  readonly $metadata: Metadata;
}

/** A request without its address, which depends on the configuration. */
export interface Parts {
  readonly method: string;
  /** @default - the origin of the endpoint */
  readonly origin?: string;
  /** @default - the path of the endpoint */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface Operation<Input, Output> {
  readonly name: string;
  request(input: Input): Parts;
  output(response: HttpResponse): Promise<Output>;
  error(response: HttpResponse): Promise<Failure>;
}

/** What a response says about an error. */
export interface Failure {
  /** The code, such as `NoSuchKey`. */
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  /** Other fields, which become properties of the exception. */
  readonly fields?: object;
}

interface Command<Input, Output> {
  readonly operation: Operation<Input, Output>;
  readonly input: Input;
}

/** Returns the class of an operation's commands, which `ServiceClient.send` sends. */
export const commandOf = <Input extends object, Output extends object>(operation: Operation<Input, Output>) =>
  class implements Command<Input, Output> {
    readonly operation = operation;
    readonly input: Input;

    constructor(input: Input) {
      this.input = input;
    }
  };

interface CallOptions {
  readonly abortSignal?: AbortSignal;
}

const metadataOf = ({ statusCode, headers }: HttpResponse): Metadata => ({
  httpStatusCode: statusCode,
  requestId: ['x-amz-request-id', 'x-amzn-requestid'].map((name) => headers[name]).find(Boolean) ?? '',
});

async function requestFrom({ path = '', origin, ...parts }: Parts, config: Configuration): Promise<HttpRequest> {
  const { host, base, ...at } = await config.address(origin);
  const headers: Record<string, string> = { host, ...parts.headers };
  if (parts.body !== undefined) headers['content-length'] = `${Buffer.byteLength(parts.body)}`;
  return new HttpRequest({ ...parts, ...at, path: `${base}/${path}`, headers });
}

/** @throws {ServiceException} if the service has refused the call */
async function outputOf<Output>(operation: Operation<never, Output>, response: HttpResponse): Promise<Output & Result> {
  const $metadata = metadataOf(response);
  const status = response.statusCode;
  if (status < 300) return { ...(await operation.output(response)), $metadata };
  const {
    name = `${status}`,
    message = `The service responded with status ${status}.`,
    fields,
  } = await operation.error(response);
  const $fault = status < 500 ? 'client' : 'server';
  const exception = new ServiceException({ name, message, $fault, $metadata });
  // The response says when to repeat the call, and what the time is at AWS. It does not belong in logs of the exception.
  Object.defineProperty(exception, '$response', { value: response, enumerable: false });
  throw Object.assign(exception, fields);
}

/** The arguments of a chain of middleware. */
interface Call {
  readonly input: object;
  readonly abortSignal: AbortSignal | undefined;
  /** Missing until the first middleware has made it of the input. */
  readonly request?: HttpRequest;
}

type Handler = (call: Call) => Promise<{ readonly output: object }>;

const signer = new AwsSdkSigV4Signer();
/** The signer uses the credentials of the configuration. */
const CONFIGURED = { accessKeyId: '', secretAccessKey: '' };

/** Signs and sends a request once, and reads the response. */
async function attempt<Output>(
  operation: Operation<never, Output>,
  { request, abortSignal }: Required<Call>,
  config: Configuration,
) {
  // The signer corrects a wrong clock of the machine, and keeps the correction in the configuration.
  const properties = { config, context: {} };
  const signed = await signer.sign(request, CONFIGURED, properties);
  try {
    const { response } = await config.requestHandler.handle(signed as HttpRequest, { abortSignal });
    const output = await outputOf(operation, response);
    signer.successHandler(response, properties);
    return { response, output };
  } catch (error) {
    return signer.errorHandler(properties)(error as Error);
  }
}

/** Sends commands. Tests add middleware of the SDK to its stack, before the first call. */
export class ServiceClient {
  readonly config: Configuration;
  readonly middlewareStack = constructStack<object, Result>();
  readonly #handlers = new Map<object, Handler>();

  constructor(service: Service) {
    this.config = configurationOf(service);
    this.middlewareStack.add((next) => async (call) => withRetries(this.config, () => next(call), call as Call), {
      step: 'finalizeRequest',
      priority: 'high',
    });
  }

  /** @throws {ServiceException} if the service refuses the call, also after its repetitions */
  async send<Input, Output>(
    { operation, input }: Command<Input, Output>,
    { abortSignal }: CallOptions = {},
  ): Promise<Output & Result> {
    const { output } = await this.#handlerOf(operation)({ input: input as object, abortSignal });
    return output as Output & Result;
  }

  #handlerOf(operation: Operation<never, unknown>): Handler {
    const known = this.#handlers.get(operation);
    if (known) return known;
    const stack = this.middlewareStack.clone();
    stack.add(
      (next) => async (call) =>
        next({ ...call, request: await requestFrom(operation.request(call.input as never), this.config) }),
      { step: 'serialize' },
    );
    const handler = stack.resolve((call) => attempt(operation, call as Required<Call>, this.config), {
      commandName: `${operation.name}Command`,
    }) as Handler;
    this.#handlers.set(operation, handler);
    return handler;
  }
}
