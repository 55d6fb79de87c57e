/** The setting `ingress`: the number of tasks of the ingress, or `off`. */
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { WAITS_PER_TASK } from '../../core/http/ingress.ts';
import { waitsLimits } from '../../core/limits.ts';
import { type NetworkSettings, zonesOf } from '../network/network.ts';
import { allowedBy, fieldTexts, type Setting } from '../settings/field-text.ts';
import { InvalidSetting, parseSetting, wholeNumber } from '../settings/settings.ts';

const SETTING = 'ingress';
/** Value that removes load balancer, service and VPC link. */
const OFF = 'off';

/** Maximum number of tasks. This number of tasks can hold all slots that a deployment can have. */
const maxCount = waitsLimits.max / WAITS_PER_TASK;
const ingressMust = `must be ${OFF}, or a mapping with the keys minTasks, maxTasks`;
const tasks = wholeNumber(1, maxCount);
const MIN_TASKS = 1;
const MAX_TASKS = 10;

const schema = z
  .strictObject(
    {
      minTasks: z._default(tasks, MIN_TASKS).register(fieldTexts, {
        description:
          'Minimum number of tasks; with at least two, the ingress continues while a failed task is replaced.',
        condition: 'At most `ingress.maxTasks`.',
        guide: 'ingress',
      }),
      maxTasks: z._default(tasks, MAX_TASKS).register(fieldTexts, {
        description: `Maximum number of tasks, each with up to ${WAITS_PER_TASK} calls that wait.`,
        condition: 'At least `ingress.minTasks`.',
        guide: 'ingress',
      }),
    },
    ingressMust,
  )
  .check(
    z.refine(({ minTasks, maxTasks }) => minTasks <= maxTasks, {
      path: ['minTasks'],
      error: 'must not exceed `ingress.maxTasks`, which is 10 by default',
    }),
  );

export type IngressSettings = z.output<typeof schema>;

/**
 * Reads the context `ingress`.
 * @returns undefined if the deployment has no ingress
 * @throws InvalidSetting with all problems
 */
export function ingressOf(scope: IConstruct): IngressSettings | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === OFF) return undefined;
  return parseSetting(SETTING, schema, value === undefined || value === '' ? {} : value);
}

export const ingressSetting: Setting = {
  read: ingressOf,
  text: {
    description: 'Service on Fargate for calls that wait and for large bodies.',
    type: 'string or mapping',
    without: `an ingress of ${MIN_TASKS} to ${MAX_TASKS} tasks`,
    allowed: allowedBy(ingressMust).replace(OFF, `\`${OFF}\``),
    condition: `Only \`${OFF}\` on the command line. The ingress needs private subnets in two zones.`,
    guide: 'ingress',
  },
  fields: [schema],
};

/**
 * Checks that the network has room for the load balancer of the ingress.
 * @param given VPC of the app, instead of that of the settings
 * @throws InvalidSetting
 */
export function requireZones(network: NetworkSettings, given?: IVpc): void {
  const zones = zonesOf(network, given);
  if (zones >= 2) return;
  throw new InvalidSetting(
    `The ${given ? 'VPC of the app' : 'context `network`'} has private subnets in ${zones} availability zone; a load balancer needs private subnets in two zones. Add a zone, or deploy without the ingress: \`-c ingress=off\`.`,
  );
}
