/** The setting `otlp`: where traces and metrics are sent in the protocol of OpenTelemetry. */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { shown } from '../../core/requests/validation.ts';
import { historyDaysOf } from '../history/history-days.ts';
import { allowedBy, fieldTexts, type Setting } from '../settings/field-text.ts';
import { InvalidSetting, parseSetting } from '../settings/settings.ts';

const SETTING = 'otlp';
/** Value for the endpoints of CloudWatch and X-Ray in the Region of the stacks. */
const CLOUDWATCH = 'cloudwatch';
const LAPTOP = ['localhost', '127.0.0.1', '[::1]'];

const otlpMust = `must be ${CLOUDWATCH}, or a mapping with the keys url, headersSecret`;
const urlMust =
  'must be an address that begins with https:// (or http:// on this machine), without user, query and fragment';
const secretMust =
  'must be the name of a secret of Secrets Manager, such as gpu-endpoints/otlp, and not the secret itself';

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LAPTOP.includes(hostname));
  return isSafe && username + password + search + hash === '';
}

const schema = z.strictObject(
  {
    url: z
      .string(urlMust)
      .check(z.refine(isAddress, urlMust))
      .register(fieldTexts, {
        description: 'Address of a receiver of OTLP over HTTP, to which `/v1/traces` and `/v1/metrics` are added.',
        allowed: allowedBy(urlMust),
        guide: 'telemetry',
      }),
    headersSecret: z
      .optional(z.string(secretMust).check(z.regex(/^[\w/+=.@-]{1,512}$/, secretMust)))
      .register(fieldTexts, {
        description: 'Secret of Secrets Manager with the headers of each request: a JSON object of names and values.',
        without: 'no more headers',
        allowed: allowedBy(secretMust),
        guide: 'telemetry',
      }),
  },
  otlpMust,
);

/** The receiver of traces and metrics. */
export type Otlp = typeof CLOUDWATCH | z.output<typeof schema>;

/**
 * Reads the context `otlp`.
 * @returns undefined if the deployment sends nothing
 * @throws InvalidSetting
 */
export function otlpOf(scope: IConstruct): Otlp | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value !== CLOUDWATCH)
    throw new InvalidSetting(`The context \`${SETTING}\` ${otlpMust}, got ${shown(value)}.`);
  if (historyDaysOf(scope) === 0)
    throw new InvalidSetting(
      `The context \`${SETTING}\` needs the history: traces and metrics are made of it. Remove \`historyDays: 0\`.`,
    );
  return value === CLOUDWATCH ? CLOUDWATCH : parseSetting(SETTING, schema, value);
}

export const otlpSetting: Setting = {
  read: otlpOf,
  text: {
    description: 'Receiver of traces and metrics in the protocol of OpenTelemetry (OTLP).',
    type: 'string or mapping',
    without: 'traces and metrics are not sent',
    allowed: allowedBy(otlpMust).replace(CLOUDWATCH, `\`${CLOUDWATCH}\``),
    condition: `Only \`${CLOUDWATCH}\` on the command line. Needs the history: \`historyDays\` must not be 0.`,
    guide: 'telemetry',
  },
  fields: [schema],
};
