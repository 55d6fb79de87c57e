/**
 * The configuration of a client of a service: credentials, Region, endpoint, retries and timeouts, read from the same
 * places as in the clients of the SDK.
 */
import { partition } from '@aws-sdk/core/client';
import { resolveAwsSdkSigV4Config } from '@aws-sdk/core/httpAuthSchemes';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
  NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS,
  NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
  resolveRegionConfig,
} from '@smithy/core/config';
import { getEndpointFromInstructions, resolveEndpointConfig, toEndpointV1 } from '@smithy/core/endpoints';
import { parseUrl } from '@smithy/core/protocols';
import {
  NODE_MAX_ATTEMPT_CONFIG_OPTIONS,
  NODE_RETRY_MODE_CONFIG_OPTIONS,
  resolveRetryConfig,
} from '@smithy/core/retry';
import { requestHandler } from './request-handler.ts';
import { createSigner } from './signer.ts';

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

function initialConfiguration(service: Service) {
  const initial = {
    // The SDK requires the version, which is part of no request.
    apiVersion: '',
    serviceId: service.serviceId,
    requestHandler: requestHandler(service.timeouts),
    endpointProvider: endpointProvider(service) as never,
    urlParser: parseUrl,
    credentialDefaultProvider: defaultProvider,
    // Only the SDK's own signer would use it.
    sha256: undefined as never,
    region: loadConfig(NODE_REGION_CONFIG_OPTIONS, NODE_REGION_CONFIG_FILE_OPTIONS),
    useDualstackEndpoint: loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS),
    useFipsEndpoint: loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS),
    maxAttempts: loadConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS),
    retryMode: loadConfig(NODE_RETRY_MODE_CONFIG_OPTIONS),
  };
  return resolveAwsSdkSigV4Config(resolveEndpointConfig(resolveRegionConfig(resolveRetryConfig(initial))));
}

/** Where requests are sent. */
interface Address {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  /** The header `host`. */
  readonly host: string;
  /** The path before that of a request, without a slash at its end. */
  readonly base: string;
}

function addressFrom({ protocol, hostname, port, path }: ReturnType<typeof parseUrl>): Address {
  const at = port === undefined ? { hostname } : { hostname, port };
  return { ...at, protocol, host: Object.values(at).join(':'), base: path.replace(/\/$/, '') };
}

export type Configuration = ReturnType<typeof configurationOf>;

export function configurationOf(service: Service) {
  const config = initialConfiguration(service);
  /** Addresses by origin. There are few: that of the service, and in SQS that of the queues. */
  const addresses = new Map<string | undefined, Promise<Address>>();
  let region: Promise<string> | undefined;
  const signer = createSigner({
    credentials: () => config.credentials(),
    // The SDK would derive the Region again for each call.
    region: () => (region ??= config.region()),
    service: service.signingName,
  });
  const complete = Object.assign(config, {
    endpoint: async () => toEndpointV1(await getEndpointFromInstructions({}, endpointInstructions, { ...config }, {})),
    /**
     * Returns the address of an origin. The SDK would find the endpoint, and create a signer, again for each call.
     * @param origin undefined for that of the endpoint
     */
    address(origin: string | undefined): Promise<Address> {
      const known = addresses.get(origin);
      if (known !== undefined) return known;
      const found = (origin === undefined ? complete.endpoint() : Promise.resolve(parseUrl(origin))).then(addressFrom);
      addresses.set(origin, found);
      return found;
    },
    signer: async () => signer,
  });
  return complete;
}
