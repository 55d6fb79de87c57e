/**
 * Clients of services of which this project uses some operations. They are the parts of the AWS SDK that all its
 * clients share: credentials, endpoint, signature, retries and timeouts. The clients of the SDK add models of all
 * operations, and interpret a model for each call (ADR 0025, ADR 0027).
 */
import { AwsSdkSigV4Signer } from '@aws-sdk/core/httpAuthSchemes';
import { getSmithyContext } from '@smithy/core';
import { constructStack, ServiceException } from '@smithy/core/client';
import { HttpRequest, type HttpResponse, parseUrl } from '@smithy/core/protocols';
import { getRetryPlugin } from '@smithy/core/retry';
import { type Configuration, configurationOf, type Service } from './configuration.ts';

export interface Metadata {
  readonly httpStatusCode: number;
  readonly requestId?: string;
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

async function requestFrom({ path = '', origin, ...parts }: Parts, { endpoint }: Configuration): Promise<HttpRequest> {
  const { protocol, hostname, port, path: base } = origin === undefined ? await endpoint() : parseUrl(origin);
  const at = port === undefined ? { hostname } : { hostname, port };
  const headers: Record<string, string> = { host: Object.values(at).join(':'), ...parts.headers };
  if (parts.body !== undefined) headers['content-length'] = `${Buffer.byteLength(parts.body)}`;
  return new HttpRequest({ ...parts, ...at, protocol, path: `${base.replace(/\/$/, '')}/${path}`, headers });
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

const signer = new AwsSdkSigV4Signer();
/** The signer uses the credentials of the configuration. */
const CONFIGURED = { accessKeyId: '', secretAccessKey: '' };

/** Signs and sends a request once, and reads the response. */
async function attempt<Output>(
  operation: Operation<never, Output>,
  request: HttpRequest,
  config: Configuration,
  options: CallOptions,
) {
  // The signer corrects a wrong clock of the machine, and keeps the correction in the configuration.
  const properties = { config, context: {} };
  const signed = await signer.sign(request, CONFIGURED, properties);
  try {
    const { response } = await config.requestHandler.handle(signed as HttpRequest, options);
    const output = await outputOf(operation, response);
    signer.successHandler(response, properties);
    return { response, output };
  } catch (error) {
    return signer.errorHandler(properties)(error as Error);
  }
}

type Handler = (command: { readonly input: object }) => Promise<{ readonly output: object }>;

/** Sends commands. Tests add middleware of the SDK to its stack, before the first call. */
export class ServiceClient {
  readonly config: Configuration;
  readonly middlewareStack = constructStack<object, Result>();
  readonly #handlers = new Map<object, Handler>();

  constructor(service: Service) {
    this.config = configurationOf(service);
    this.middlewareStack.use(getRetryPlugin(this.config));
  }

  /** @throws {ServiceException} if the service refuses the call, also after its repetitions */
  async send<Input, Output>(command: Command<Input, Output>, options?: CallOptions): Promise<Output & Result> {
    const { operation, input } = command;
    const handler = options ? this.#resolve(operation, options) : this.#handlerOf(operation);
    const { output } = await handler({ input: input as object });
    return output as Output & Result;
  }

  #handlerOf(operation: Operation<never, unknown>): Handler {
    let handler = this.#handlers.get(operation);
    if (!handler) {
      handler = this.#resolve(operation, {});
      this.#handlers.set(operation, handler);
    }
    return handler;
  }

  #resolve(operation: Operation<never, unknown>, options: CallOptions): Handler {
    const stack = this.middlewareStack.clone();
    stack.add(
      (next) => async (call) =>
        next({ ...call, request: await requestFrom(operation.request(call.input as never), this.config) }),
      { step: 'serialize', name: 'request' },
    );
    const context = { commandName: `${operation.name}Command` };
    // An aborted call does not wait until it would be repeated.
    Object.assign(getSmithyContext(context), options);
    return stack.resolve(
      ({ request }) => attempt(operation, request as HttpRequest, this.config, options),
      context,
    ) as Handler;
  }
}
