/** The setting `domain`: the domain name that clients call instead of CloudFront's, and its certificate. */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { allowedBy, fieldTexts, NOT_ON_COMMAND_LINE, type Setting } from '../settings/field-text.ts';
import { parseSetting } from '../settings/settings.ts';

const SETTING = 'domain';

const NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
/** CloudFront accepts only certificates of this Region, wherever the stacks are. */
const CERTIFICATE = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/;

const nameMust = 'must be a domain name in lower case, such as gpu.example.com';
const certificateMust =
  'must be the ARN of a certificate of ACM in us-east-1, such as arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';

const domainMust = 'must be a mapping with the keys name, certificate';

const schema = z.strictObject(
  {
    name: z.string(nameMust).check(z.regex(NAME, nameMust)).register(fieldTexts, {
      description: 'Domain name that clients call.',
      guide: 'domain',
    }),
    certificate: z.string(certificateMust).check(z.regex(CERTIFICATE, certificateMust)).register(fieldTexts, {
      description: 'Certificate of the domain name.',
      guide: 'domain',
    }),
  },
  domainMust,
);

export type Domain = z.output<typeof schema>;

/**
 * Reads the context `domain`.
 * @returns undefined if clients call CloudFront's own domain name
 * @throws InvalidSetting with all problems
 */
export function domainOf(scope: IConstruct): Domain | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  return parseSetting(SETTING, schema, value);
}

export const domainSetting: Setting = {
  read: domainOf,
  text: {
    description: "Domain name that clients call instead of CloudFront's, and its certificate.",
    type: 'mapping',
    without: "CloudFront's name of the distribution",
    allowed: allowedBy(domainMust),
    condition: NOT_ON_COMMAND_LINE,
    guide: 'domain',
  },
  fields: [schema],
};
