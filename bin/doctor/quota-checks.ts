/** Compares the account's quotas with the needs of the stacks. */
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import type { Quota, QuotaNeed, UnknownQuota } from './quotas.ts';
import { warnIfUnchecked } from './target.ts';

export const addressOf = (region: string, { service, code }: Quota): string =>
  `https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas/${code}`;

/** Returns how to request a larger quota: an address, or a command. */
export const raiseTo = (region: string, quota: Quota, value: number): string =>
  `${addressOf(region, quota)}, or aws service-quotas request-service-quota-increase --service-code ${quota.service} --quota-code ${quota.code} --desired-value ${Math.ceil(value)}`;

function judge(need: QuotaNeed, quota: number, region: string): Finding {
  const { name, min, max, unit, of } = need;
  const [check, found] = [`Quota: ${name}`, `${quota} ${unit}.`];
  if (quota >= max) return { check, level: 'ok', found };
  const fix = raiseTo(region, need, max);
  if (quota < min)
    return {
      check,
      level: 'problem',
      found,
      needed: `At least ${min} ${unit} for ${of}, and ${max} to run all at the same time.`,
      fix,
    };
  return {
    check,
    level: 'warning',
    found,
    needed: `${max} ${unit} to run ${of}, all at the same time; a lower quota is enough to start with.`,
    fix,
  };
}

export function checkQuota(account: Account, need: QuotaNeed, region: string): Promise<Finding> {
  const check = `Quota: ${need.name}`;
  return warnIfUnchecked(check, async () => {
    const quota = await account.quota(need.service, need.code);
    if (quota !== undefined) return judge(need, quota, region);
    return { check, level: 'warning', found: `This quota does not exist in ${region}.`, fix: addressOf(region, need) };
  });
}

/** Names an instance type whose quota cannot be compared. */
export const reportUnknown = (region: string, { type, isSpot, of }: UnknownQuota): Finding => ({
  check: `Quota: ${type}${isSpot ? ', Spot' : ''}`,
  level: 'warning',
  found: `The quota of this instance type, on which ${of} can run, is not known here.`,
  fix: `find the quota of the type at https://${region}.console.aws.amazon.com/servicequotas/home/services/ec2/quotas`,
});
