/** The setting `ingress`: the number of tasks of the ingress, or `off`. */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { WAITS_PER_TASK } from '../../core/http/ingress.ts';
import { waitsLimits } from '../../core/limits.ts';
import { isPinned } from '../constructs/images.ts';
import { type NetworkSettings, zonesOf } from '../network/network.ts';
import { InvalidSetting, parseSetting, wholeNumber } from '../settings/settings.ts';

const SETTING = 'ingress';
/** Value that removes load balancer, service and VPC link. */
const OFF = 'off';

/** Maximum number of tasks. This number of tasks can hold all slots that a deployment can have. */
const mostTasks = waitsLimits.max / WAITS_PER_TASK;
const imageMust = 'must be an image with its tag or digest, such as registry.example.com/team/ingress:1.2';
const tasks = wholeNumber(1, mostTasks);

const schema = z
  .strictObject(
    {
      minTasks: z._default(tasks, 1),
      maxTasks: z._default(tasks, 10),
      image: z.optional(z.string(imageMust).check(z.refine(isPinned, imageMust))),
    },
    `must be ${OFF}, or a mapping with the keys minTasks, maxTasks, image`,
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

/**
 * Checks that the network has room for the load balancer of the ingress.
 * @throws InvalidSetting
 */
export function requireZones(network: NetworkSettings): void {
  const zones = zonesOf(network);
  if (zones >= 2) return;
  throw new InvalidSetting(
    `The context \`network\` has private subnets in ${zones} availability zone; a load balancer needs private subnets in two zones. Add a zone, or deploy without the ingress: \`-c ingress=off\`.`,
  );
}
