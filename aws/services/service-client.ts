/**
 * Clients of services of which this project uses some operations. They are the parts of the AWS SDK that all its
 * clients share: credentials, endpoint, signature, retries and timeouts. The clients of the SDK add models of all
 * operations, and interpret a model for each call (ADR 0025, ADR 0027).
 */
import { partition } from '@aws-sdk/core/client';
import { AwsSdkSigV4Signer, resolveAwsSdkSigV4Config } from '@aws-sdk/core/httpAuthSchemes';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { DefaultIdentityProviderConfig, getHttpAuthSchemePlugin, getHttpSigningPlugin } from '@smithy/core';
import { Client, Command, ServiceException } from '@smithy/core/client';
import {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
  NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS,
  NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
  resolveRegionConfig,
} from '@smithy/core/config';
import { getEndpointFromInstructions, resolveEndpointConfig, toEndpointV1 } from '@smithy/core/endpoints';
import { HttpRequest, type HttpResponse, parseUrl } from '@smithy/core/protocols';
import {
  getRetryPlugin,
  NODE_MAX_ATTEMPT_CONFIG_OPTIONS,
  NODE_RETRY_MODE_CONFIG_OPTIONS,
  resolveRetryConfig,
} from '@smithy/core/retry';
import { getSerdePlugin } from '@smithy/core/serde';
import { requestHandler } from './request-handler.ts';
import { Sha256 } from './sha256.ts';

const SCHEME = 'aws.auth#sigv4';

/** The partition of a Region, such as `aws-cn`, and which kind of endpoint the SDK is configured to use. */
export interface EndpointChoice {
  readonly region: string;
  readonly suffix: string;
  readonly dualStackSuffix: string;
  readonly isFips: boolean;
  readonly isDualStack: boolean;
}

export interface Service {
  /** The SDK's id of the service, which is also part of `AWS_ENDPOINT_URL_<id>`. */
  readonly serviceId: string;
  /** The name of the service in signatures. */
  readonly signingName: string;
  readonly timeouts: Parameters<typeof requestHandler>[0];
  /**
   * Whether the middleware of a command is resolved once for its class. The SDK then also keeps the input of the first
   * command.
   */
  readonly hasSmallInputs: boolean;
  /** @returns the host name of the service, unless the environment names another endpoint */
  hostOf(choice: EndpointChoice): string;
}

/** Whether a Region is in the partition in which most endpoints meet FIPS under their usual names. */
export const isForGovernment = (region: string): boolean => region.startsWith('us-gov-');

/** Whether an endpoint of DynamoDB or SQS has its FIPS name. */
export const hasFipsName = ({ region, isFips, isDualStack }: EndpointChoice): boolean =>
  isFips && (isDualStack || !isForGovernment(region));

/**
 * Returns the host names of a service.
 * @param isFipsNamed whether an endpoint has its FIPS name. @default - each endpoint that meets FIPS
 */
export const hostNamed =
  (name: string, isFipsNamed = ({ isFips }: EndpointChoice) => isFips): Service['hostOf'] =>
  (choice) => {
    const { region, suffix, dualStackSuffix, isDualStack } = choice;
    return `${name}${isFipsNamed(choice) ? '-fips' : ''}.${region}.${isDualStack ? dualStackSuffix : suffix}`;
  };

/** Values of the SDK's configuration that determine the endpoint, which is the same for all calls of a client. */
const endpointParameters = {
  Endpoint: { type: 'builtInParams', name: 'endpoint' },
  Region: { type: 'builtInParams', name: 'region' },
  UseFIPS: { type: 'builtInParams', name: 'useFipsEndpoint' },
  UseDualStack: { type: 'builtInParams', name: 'useDualstackEndpoint' },
} as const;

const endpointInstructions = { getEndpointParameterInstructions: () => endpointParameters };

interface EndpointParameters {
  readonly Endpoint?: string;
  readonly Region: string;
  readonly UseFIPS: boolean;
  readonly UseDualStack: boolean;
}

const endpointProvider =
  ({ hostOf }: Service) =>
  ({ Endpoint, Region: region, UseFIPS: isFips, UseDualStack: isDualStack }: EndpointParameters) => {
    const { dnsSuffix: suffix, dualStackDnsSuffix: dualStackSuffix } = partition(region);
    return { url: new URL(Endpoint ?? `https://${hostOf({ region, suffix, dualStackSuffix, isFips, isDualStack })}`) };
  };

function configuration(service: Service) {
  const initial = {
    // The SDK requires the version, which is part of no request.
    apiVersion: '',
    serviceId: service.serviceId,
    requestHandler: requestHandler(service.timeouts),
    endpointProvider: endpointProvider(service) as never,
    urlParser: parseUrl,
    cacheMiddleware: service.hasSmallInputs,
    sha256: Sha256,
    credentialDefaultProvider: defaultProvider,
    defaultSigningName: service.signingName,
    // S3 signs the path as it is sent. For other services, the path is `/`.
    signingEscapePath: false,
    region: loadConfig(NODE_REGION_CONFIG_OPTIONS, NODE_REGION_CONFIG_FILE_OPTIONS),
    useDualstackEndpoint: loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS),
    useFipsEndpoint: loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS),
    maxAttempts: loadConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS),
    retryMode: loadConfig(NODE_RETRY_MODE_CONFIG_OPTIONS),
    httpAuthSchemes: [
      {
        schemeId: SCHEME,
        identityProvider: (config: DefaultIdentityProviderConfig) => config.getIdentityProvider(SCHEME),
        signer: new AwsSdkSigV4Signer(),
      },
    ],
    httpAuthSchemeProvider: ({ region }: { readonly region: string }) => [
      {
        schemeId: SCHEME,
        signingProperties: { name: service.signingName, region },
        propertiesExtractor: (config: object, context: object) => ({ signingProperties: { config, context } }),
      },
    ],
  };
  return resolveAwsSdkSigV4Config(resolveEndpointConfig(resolveRegionConfig(resolveRetryConfig(initial))));
}

export interface Metadata {
  readonly httpStatusCode: number;
  readonly requestId?: string;
}
export interface Result {
  readonly $metadata: Metadata;
}

export class ServiceClient extends Client<object, object, Result, ReturnType<typeof configuration>> {
  constructor(service: Service) {
    super(configuration(service));
    let endpoint: ReturnType<typeof getEndpointFromInstructions> | undefined;
    this.config.endpoint = async () => {
      endpoint ??= getEndpointFromInstructions({}, endpointInstructions, { ...this.config }, {});
      return toEndpointV1(await endpoint);
    };
    this.middlewareStack.use(getRetryPlugin(this.config));
    this.middlewareStack.use(
      getHttpAuthSchemePlugin(this.config as never, {
        httpAuthSchemeParametersProvider: async () => ({ region: await this.config.region() }) as never,
        identityProviderConfigProvider: async () =>
          new DefaultIdentityProviderConfig({ [SCHEME]: this.config.credentials }),
      }),
    );
    this.middlewareStack.use(getHttpSigningPlugin(this.config));
  }
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

interface Endpoint {
  endpoint(): Promise<Pick<HttpRequest, 'protocol' | 'hostname' | 'path'> & { readonly port?: number }>;
}

async function requestFrom({ path = '', origin, ...parts }: Parts, { endpoint }: Endpoint): Promise<HttpRequest> {
  const { protocol, hostname, port, path: base } = origin === undefined ? await endpoint() : parseUrl(origin);
  const at = port === undefined ? { hostname } : { hostname, port };
  const headers: Record<string, string> = { host: Object.values(at).join(':'), ...parts.headers };
  if (parts.body !== undefined) headers['content-length'] = `${Buffer.byteLength(parts.body)}`;
  return new HttpRequest({ ...parts, ...at, protocol, path: `${base.replace(/\/$/, '')}/${path}`, headers });
}

const metadataOf = ({ statusCode, headers }: HttpResponse): Metadata => ({
  httpStatusCode: statusCode,
  requestId: ['x-amz-request-id', 'x-amzn-requestid'].map((name) => headers[name]).find(Boolean) ?? '',
});

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

/** Returns the class of an operation's commands, which `ServiceClient.send` sends. */
export const commandOf = <Input extends object, Output extends object>(operation: Operation<Input, Output>) =>
  Command.classBuilder<Input, Output & Result, never>()
    .m((_, __, config) => [
      getSerdePlugin(
        config,
        (input: Input, context: Endpoint) => requestFrom(operation.request(input), context),
        async (response: HttpResponse) => {
          const $metadata = metadataOf(response);
          const status = response.statusCode;
          if (status < 300) return { ...(await operation.output(response)), $metadata };
          const {
            name = `${status}`,
            message = `The service responded with status ${status}.`,
            fields,
          } = await operation.error(response);
          const $fault = status < 500 ? 'client' : 'server';
          throw Object.assign(new ServiceException({ name, message, $fault, $metadata }), fields);
        },
      ),
    ])
    .s('', operation.name)
    .n('', `${operation.name}Command`)
    .build();
