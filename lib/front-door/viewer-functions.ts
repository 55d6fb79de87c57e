/** The functions that CloudFront runs before requests: their code, and the constants of this project behind it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Aws } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { corsHeaders, neverCached } from '../../core/http/respond.ts';
import { directFrom, distributionHeaders } from '../../core/ingress.ts';
import { deploymentOf } from '../deployment-name.ts';
import { repository } from '../repository.ts';

interface ViewerFunction {
  /** File in this folder. */
  readonly file: string;
  readonly comment: string;
  /** What the code reads by these names. */
  readonly constants: Readonly<Record<string, unknown>>;
}

function viewerFunction(scope: Construct, id: string, { file, comment, constants }: ViewerFunction): CfnFunction {
  const code = readFileSync(join(repository, 'lib/front-door', file), 'utf8');
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  return new CfnFunction(scope, id, {
    // Of the account in all Regions.
    name: `${deploymentOf(scope)}-${Aws.REGION}-${id}`,
    autoPublish: true,
    functionConfig: { comment, runtime: 'cloudfront-js-2.0' },
    functionCode: [code, ...lines].join(''),
  });
}

/**
 * The function before requests to the interfaces. With the ingress it is another function than without, because a function
 * may select only origins that the distribution has, and CloudFormation updates a function before the distribution that
 * names it: the distribution gets the origin and the function that selects it in one update, and loses them in one.
 * (Amazon CloudFront Developer Guide, "Helper methods for origin modification": `selectRequestOriginById()` accepts only
 * origins of the distribution. It does not say whether others throw, or fail the request when the function has ended.)
 * @param hasIngress whether there is an origin for large bodies
 */
export const chooseOrigin = (scope: Construct, hasIngress: boolean): CfnFunction =>
  viewerFunction(scope, hasIngress ? 'ChooseOrigin' : 'OneOrigin', {
    file: 'choose-origin.js',
    comment: `Adds the address of the client${hasIngress ? ', and sends large bodies to the ingress' : ''}.`,
    constants: { VIEWER_HEADER: distributionHeaders.viewer, DIRECT_FROM: hasIngress ? directFrom : {} },
  });

export function noInterface(scope: Construct, corsOrigin: string | undefined): CfnFunction {
  const headers = Object.entries({ ...neverCached, ...(corsOrigin && corsHeaders(corsOrigin)) });
  return viewerFunction(scope, 'NoInterface', {
    file: 'no-interface.js',
    comment: 'Answers 404 to what belongs to no interface.',
    constants: {
      CODE: 'ROUTE_NOT_FOUND',
      HEADERS: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), { value }])),
    },
  });
}
