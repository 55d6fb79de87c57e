/** The address of an interface: its REST API without routes, which another stack can add. */
import { Stack } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct, type IConstruct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import type { Authorizer } from '../keys/authorizer.ts';

/**
 * TLS 1.3, and TLS 1.2 with forward secrecy: Python 3.8 and curl of 2018 support both versions. Without a policy a
 * Regional API accepts TLS 1.0. `STRICT` also refuses a request whose `Host` differs from the name in the TLS
 * handshake.
 */
const tls = { policy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09, mode: EndpointAccessMode.STRICT } as const;

/** What the routes need, in the stack that adds them. */
export interface Addressed {
  readonly restApiId: string;
  readonly rootResourceId: string;
  readonly authorizerId: string;
  /** Settings that take effect only with a new deployment of the routes. */
  readonly settings: object;
}

export interface ApiAddressProps {
  /** Name of the API in the AWS console. */
  readonly name: string;
  /** The version in the base address. */
  readonly stage: string;
  readonly authorizer: Authorizer;
  /**
   * Media types of bodies that are not text.
   * @default - all bodies are text in UTF-8
   */
  readonly binaryMediaTypes?: readonly string[];
}

/**
 * A Regional REST API and its authorizer. The distribution needs the host, sign-in needs the distribution, the
 * authorizer needs sign-in, and routes need the authorizer. So the host exists before the routes, which can be in
 * another stack.
 */
export class ApiAddress extends Construct {
  /** The name of the API, by which CloudWatch has its metrics. */
  readonly name: string;
  /** The host name of API Gateway's own address. */
  readonly host: string;
  /** API Gateway's own address with the stage, without a trailing slash. */
  readonly url: string;
  readonly #restApi: SharedValue;
  readonly #root: SharedValue;
  readonly #authorizer: SharedValue;
  readonly #settings: object;

  constructor(scope: Construct, id: string, { name, stage, authorizer, binaryMediaTypes }: ApiAddressProps) {
    super(scope, id);
    const api = new CfnRestApi(this, 'Api', {
      name,
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      securityPolicy: tls.policy,
      endpointAccessMode: tls.mode,
      // The authorizer returns the hidden key. Clients never see it.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      ...(binaryMediaTypes && { binaryMediaTypes: [...binaryMediaTypes] }),
    });
    acknowledge(api, { APIG2: 'The use-cases check bodies and parameters, and report each invalid field.' });
    const { region, urlSuffix } = Stack.of(this);
    this.name = name;
    this.host = `${api.ref}.execute-api.${region}.${urlSuffix}`;
    this.url = `https://${this.host}/${stage}`;

    const guard = authorizer.guard(this, 'Authorizer', api.ref);
    this.#restApi = new SharedValue(this, 'RestApiId', api.ref);
    this.#root = new SharedValue(this, 'RootResourceId', api.attrRootResourceId);
    this.#authorizer = new SharedValue(this, 'AuthorizerId', guard.authorizerId);
    this.#settings = { ...tls, binaryMediaTypes, authorizer: guard.settings };
  }

  /** Returns what the routes need, in the stack of the construct. */
  in(reader: IConstruct): Addressed {
    return {
      restApiId: this.#restApi.in(reader),
      rootResourceId: this.#root.in(reader),
      authorizerId: this.#authorizer.in(reader),
      settings: this.#settings,
    };
  }

  /** Returns the ARN of a stage, in the stack of the construct. */
  stageArnIn(reader: IConstruct, stage: string): string {
    const { partition, region } = Stack.of(reader);
    return `arn:${partition}:apigateway:${region}::/restapis/${this.#restApi.in(reader)}/stages/${stage}`;
  }
}
