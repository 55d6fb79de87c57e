/** The responses of API Gateway itself, when a request does not reach its integration or the integration fails. */
import type { Readable } from 'node:stream';

export type RefusalType = keyof typeof defaults | keyof typeof untyped;

/** Status and message of each response type without a template. */
const defaults = {
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: null },
  AUTHORIZER_FAILURE: { status: 500, message: null },
  BAD_REQUEST_PARAMETERS: { status: 400, message: 'Bad Request' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  INVALID_API_KEY: { status: 403, message: 'Forbidden' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
} as const;

/**
 * Errors without a separate response type in API Gateway: only `DEFAULT_4XX` or `DEFAULT_5XX` can change their
 * response.
 */
const untyped = {
  /**
   * A request that matches no method, and whose `Authorization` is not an AWS signature. The message quotes the
   * header.
   */
  INCOMPLETE_SIGNATURE: { status: 403, message: null },
  /** A request that matches no method, with an AWS signature: methods here have no IAM authorization. */
  UNRECOGNIZED_CLIENT: { status: 403, message: 'The security token included in the request is invalid.' },
  /** A function that fails, or whose response is invalid. */
  INTEGRATION_MALFORMED: { status: 502, message: 'Internal server error' },
  /** A function that Lambda throttles. */
  INTEGRATION_THROTTLED: { status: 500, message: 'Internal server error' },
} as const;

const isUntyped = (type: RefusalType): type is keyof typeof untyped => type in untyped;

/** Values of the header `x-amzn-ErrorType`, which identifies the error even if a template changes the response. */
const errorTypes: Partial<Record<RefusalType, string>> = {
  INCOMPLETE_SIGNATURE: 'IncompleteSignatureException',
  MISSING_AUTHENTICATION_TOKEN: 'MissingAuthenticationTokenException',
  UNRECOGNIZED_CLIENT: 'UnrecognizedClientException',
};

interface RefusalDetails extends ErrorOptions {
  /** The context of the authorizer, for `$context.authorizer.*`. */
  readonly authorizer?: Readonly<Record<string, string>> | undefined;
  /**
   * Message of the error.
   * @default - the message of the type
   */
  readonly message?: string;
}

/** Stops the handling of a request and responds with the gateway response of a type. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly type: RefusalType;
  readonly details: RefusalDetails;

  constructor(type: RefusalType, details: RefusalDetails = {}) {
    super(type, details);
    this.type = type;
    this.details = details;
  }
}

/** The source of a header: a constant, or a variable of `$context` by its name without the prefix. */
export type HeaderSource = { readonly value: string } | { readonly variable: string };

/** A gateway response of the template. */
export interface ResponseTemplate {
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, HeaderSource>>;
}

export interface HttpAnswer {
  readonly status: number;
  /** Pairs, because a name can repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * The body. A stream is sent as it arrives; if the stream fails, the connection is cut. A buffer is a stream that
   * has already ended, and is sent in the same way, without its length.
   */
  readonly body: string | Buffer | Readable;
}

/** Variables of `$context` for the request, by names without the prefix, such as `requestId`. */
export type RequestVariables = Readonly<Record<string, string>>;

const VARIABLE = /\$context\.(\w+(?:\.\w+)*)/g;

/** Inserts variables as plain text, as in API Gateway: quotes must be in the template. */
export function substitute(template: string, variables: RequestVariables): string {
  return template.replace(VARIABLE, (_, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? '') : '',
  );
}

/** Returns the headers, without those whose variable the request does not have. */
function headersFrom(headers: ResponseTemplate['headers'], variables: RequestVariables): [string, string][] {
  return Object.entries(headers).flatMap(([name, source]): [string, string][] => {
    const value = 'value' in source ? source.value : variables[source.variable];
    return value === undefined ? [] : [[name, value]];
  });
}

const DEFAULT_BODY = '{"message":$context.error.messageString}';

export function renderRefusal(
  { type, details }: Refusal,
  templates: ReadonlyMap<string, ResponseTemplate>,
  request: RequestVariables,
): HttpAnswer {
  const { status, message: usual } = isUntyped(type) ? untyped[type] : defaults[type];
  const { authorizer = {}, message = usual } = details;
  const ofClass = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const template = templates.get(type) ?? templates.get(ofClass);
  const variables: Record<string, string> = {
    ...request,
    ...Object.fromEntries(Object.entries(authorizer).map(([name, value]) => [`authorizer.${name}`, value])),
    'error.message': message ?? '',
    'error.messageString': JSON.stringify(message),
    'error.responseType': isUntyped(type) ? ofClass : type,
  };
  const errorType = errorTypes[type];
  return {
    status: template?.status ?? status,
    headers: [
      ['Content-Type', 'application/json'],
      ...(errorType === undefined ? [] : [['x-amzn-ErrorType', errorType] as const]),
      ...headersFrom(template?.headers ?? {}, variables),
    ],
    body: substitute(template?.body ?? DEFAULT_BODY, variables),
  };
}
