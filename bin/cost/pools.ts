/** Rules for what a pool costs without a task: its scaling alarms, and the disks of its stopped instances. */
import { isValues } from '../assembly/app.ts';
import { charge, type Rule } from './charge.ts';
import { instanceHour } from './workers.ts';

/** Target tracking creates two alarms, one to scale out and one to scale in. */
export const ALARMS_OF_TRACKING = 2;

/** Managed scaling tracks a metric of ECS, which is free, with a policy that ECS creates outside the stacks. */
export const capacityProvider: Rule = ({ resource, prices: { perMonth } }) => {
  const { AutoScalingGroupProvider: provider } = resource.properties;
  const scaling = isValues(provider) && isValues(provider.ManagedScaling) ? provider.ManagedScaling : {};
  if (scaling.Status !== 'ENABLED') return {};
  return { charges: [charge('scaling alarm', ALARMS_OF_TRACKING, 'month', perMonth.alarm.price)] };
};

/** Returns the charges for the disks of stopped instances. AWS does not charge for the instances. */
export const warmPool: Rule = ({ resource, app, prices }) => {
  const { AutoScalingGroupName, MinSize, MaxGroupPreparedCapacity, PoolState = 'Stopped' } = resource.properties;
  if (PoolState !== 'Stopped') return { unpriced: 'only warm pools of stopped instances are priced here' };
  const count = Math.max(Number(MinSize ?? 0), Number(MaxGroupPreparedCapacity));
  const group = app.follow(resource, AutoScalingGroupName);
  const its = group && instanceHour(app, group, prices);
  if (its?.disk === undefined || Number.isNaN(count))
    return { unpriced: 'only stopped instances with gp3 volumes, and as a fixed number, are priced here' };
  return { charges: [charge(`disks of stopped instances of ${its.runsOn}`, count, 'hour', its.disk)] };
};
