/** The functions that CloudFront runs before requests: their code, followed by constants of this project. */
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { Aws } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { distributionHeaders } from '../../core/http/ingress.ts';
import { baseHeaders, corsHeaders } from '../../core/http/respond.ts';
import { minDirectBytes } from '../../core/operations/table.ts';
import { packageFolder } from '../settings/package-files.ts';
import { deploymentOf } from '../settings/settings.ts';

interface ViewerFunction {
  /** File name in this folder. */
  readonly file: string;
  readonly comment: string;
  /** Constants of the code by name. */
  readonly constants: Readonly<Record<string, unknown>>;
}

function viewerFunction(scope: Construct, id: string, { file, comment, constants }: ViewerFunction): CfnFunction {
  const code = readFileSync(join(packageFolder, 'lib/front-door', file), 'utf8');
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  return new CfnFunction(scope, id, {
    // The name must be unique in the account, across all Regions.
    name: `${deploymentOf(scope)}-${Aws.REGION}-${id}`,
    autoPublish: true,
    functionConfig: { comment, runtime: 'cloudfront-js-2.0' },
    functionCode: [code, ...lines].join(''),
  });
}

/**
 * Creates the function that runs before requests to the interfaces. With and without the ingress, it has different
 * construct ids. When the ingress is added or removed, CloudFormation therefore creates another function, and one update
 * of the distribution replaces both the function and the origins. A changed function would be updated before the
 * distribution, and a function may select only origins that the distribution has. (Amazon CloudFront Developer Guide,
 * "Helper methods for origin modification": `selectRequestOriginById()` accepts only origins of the distribution. The
 * guide does not describe what happens with other origins.)
 * @param hasIngress whether there is an origin for large bodies
 */
export const originFunction = (scope: Construct, hasIngress: boolean): CfnFunction =>
  viewerFunction(scope, hasIngress ? 'ChooseOrigin' : 'OneOrigin', {
    file: 'choose-origin.js',
    comment: `Adds the address of the client${hasIngress ? ', and sends large bodies to the ingress' : ''}.`,
    constants: { VIEWER_HEADER: distributionHeaders.viewer, MIN_DIRECT_BYTES: hasIngress ? minDirectBytes : {} },
  });

export interface NoInterfaceProps {
  readonly corsOrigin: string | undefined;
  /**
   * Path of the console, to which `/` redirects.
   * @default - none
   */
  readonly consolePath: string | undefined;
}

export function noInterfaceFunction(scope: Construct, { corsOrigin, consolePath }: NoInterfaceProps): CfnFunction {
  const headers = Object.entries({ ...baseHeaders, ...(corsOrigin && corsHeaders(corsOrigin)) });
  return viewerFunction(scope, 'NoInterface', {
    file: 'no-interface.js',
    comment: `Answers 404 to requests outside of the interfaces${consolePath ? ', and redirects `/` to the console' : ''}.`,
    constants: {
      CODE: 'ROUTE_NOT_FOUND',
      CONSOLE: consolePath,
      HEADERS: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), { value }])),
    },
  });
}

/** Returns the family and the prefix bits of a network: `4` and 8 bits for `10.0.0.0/8`. */
function prefixOf(network: string): string {
  const [address = '', length = ''] = network.split('/');
  const bits = (part: string, radix: number, size: number) =>
    Number.parseInt(part, radix).toString(2).padStart(size, '0');
  if (isIPv4(address)) {
    const all = address.split('.').map((part) => bits(part, 10, 8));
    return `4${all.join('').slice(0, Number(length))}`;
  }
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  const all = [...head, ...zeros, ...(tail ?? [])].map((part) => bits(part, 16, 16));
  return `6${all.join('').slice(0, Number(length))}`;
}

/**
 * Creates the function that runs before requests to the console.
 * @param allow networks that may open the console; an empty list allows all
 */
export const pageFunction = (scope: Construct, allow: readonly string[]): CfnFunction =>
  viewerFunction(scope, 'OpenPage', {
    file: 'open-page.js',
    comment: 'Answers each path of the console with its one page.',
    constants: { ALLOWED: allow.map(prefixOf) },
  });
