/** The headers of every response of the console, with the content security policy of its pages. */
import { Aws, Duration } from 'aws-cdk-lib';
import { CfnResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { deploymentOf } from '../settings/settings.ts';

/**
 * The content security policy. Outputs, logs, errors and readmes can be hostile, so only this list is allowed: no
 * inline script or style, and only addresses of the distribution and the sign-in pages.
 */
const directives = (signIn: string): Readonly<Record<string, string>> => ({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'media-src': 'blob:',
  'font-src': "'self'",
  'connect-src': `'self' https://${signIn}`,
  'worker-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // The second policy permits only the worker that reads large texts (`packages/console/reading/open-worker.ts`).
  'trusted-types': 'dompurify reading',
});

const policyOf = (signIn: string) =>
  Object.entries(directives(signIn))
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/**
 * Creates the policy with the headers.
 * @param signIn host of the sign-in pages
 */
export function responseHeaders(scope: Construct, id: string, signIn: string): CfnResponseHeadersPolicy {
  const override = true;
  return new CfnResponseHeadersPolicy(scope, id, {
    responseHeadersPolicyConfig: {
      // The name must be unique in the account, across all Regions.
      name: `${deploymentOf(scope)}-${Aws.REGION}-Console`,
      comment: 'Headers of the console.',
      securityHeadersConfig: {
        contentSecurityPolicy: { contentSecurityPolicy: policyOf(signIn), override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: 'DENY', override },
        referrerPolicy: { referrerPolicy: 'no-referrer', override },
        strictTransportSecurity: {
          accessControlMaxAgeSec: Duration.days(365).toSeconds(),
          includeSubdomains: false,
          override,
        },
      },
      customHeadersConfig: {
        items: [{ header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override }],
      },
    },
  });
}
