/** Checks of the account's quotas against what the stacks need. */
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import { asked } from './place.ts';
import type { QuotaNeed } from './quotas.ts';

const addressOf = (region: string, { service, code }: QuotaNeed) =>
  `https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas/${code}`;

function judge(need: QuotaNeed, quota: number, region: string): Finding {
  const { name, least, most, unit, of } = need;
  const [check, found] = [`Quota: ${name}`, `${quota} ${unit}.`];
  if (quota >= most) return { check, level: 'ok', found };
  const fix = `${addressOf(region, need)}, or aws service-quotas request-service-quota-increase --service-code ${need.service} --quota-code ${need.code} --desired-value ${Math.ceil(most)}`;
  if (quota < least)
    return {
      check,
      level: 'problem',
      found,
      needed: `At least ${least} ${unit} for ${of}; ${most} for all at once.`,
      fix,
    };
  return {
    check,
    level: 'warning',
    found,
    needed: `${most} ${unit} for ${of}, all at once; less is enough to begin with.`,
    fix,
  };
}

export function checkQuota(account: Account, need: QuotaNeed, region: string): Promise<Finding> {
  const check = `Quota: ${need.name}`;
  return asked(check, async () => {
    const quota = await account.quota(need.service, need.code);
    if (quota !== undefined) return judge(need, quota, region);
    return { check, level: 'warning', found: `AWS knows no such quota in ${region}.`, fix: addressOf(region, need) };
  });
}
