/** Checks the resources that settings name, and the role that `accessLogDays` needs. Synthesis cannot check that they exist. */
import { type App, isValues } from '../assembly/app.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import type { Certificate } from './named-reads.ts';
import { warnIfUnchecked } from './target.ts';

/** What the stacks name and the account must have. */
export interface NamedNeeds {
  /** Certificate of the setting `domain`, and the domain names. */
  readonly certificate?: { readonly arn: string; readonly domains: readonly string[] } | undefined;
  /** Topic of the setting `alarms`. */
  readonly topic?: string | undefined;
  /** Secrets that CloudFormation reads. */
  readonly secrets: readonly string[];
  /** Ids of the stacks whose stages write access logs. */
  readonly logged: readonly string[];
}

/** A reference that CloudFormation replaces with the value of a secret. */
const SECRET = /\{\{resolve:secretsmanager:([\w/+=.@-]+):/g;

function certificateIn({ resources }: App): NamedNeeds['certificate'] {
  for (const { properties } of resources.filter(({ type }) => type === 'AWS::CloudFront::Distribution')) {
    const config = isValues(properties.DistributionConfig) ? properties.DistributionConfig : {};
    const arn = isValues(config.ViewerCertificate) ? config.ViewerCertificate.AcmCertificateArn : undefined;
    if (typeof arn === 'string') return { arn, domains: [config.Aliases ?? []].flat().map(String) };
  }
  return undefined;
}

export function namedNeeds(app: App): NamedNeeds {
  const of = (wanted: string) => app.resources.filter(({ type }) => type === wanted);
  const topics = of('AWS::CloudWatch::Alarm').flatMap(({ properties }) => [properties.AlarmActions ?? []].flat());
  const texts = app.resources.map(({ properties }) => JSON.stringify(properties));
  const logged = of('AWS::ApiGateway::Stage').filter(({ properties }) => properties.AccessLogSetting !== undefined);
  return {
    certificate: certificateIn(app),
    topic: topics.find((topic) => typeof topic === 'string'),
    secrets: [...new Set(texts.flatMap((text) => [...text.matchAll(SECRET)].map(([, name = '']) => name)))],
    logged: logged.map(({ stack }) => stack),
  };
}

/** Returns whether a name of the certificate, which can begin with `*.`, covers the domain name. */
const covers = (domain: string) => (name: string) =>
  name === domain || (name.startsWith('*.') && domain.slice(domain.indexOf('.')) === name.slice(1));

const DAY = 86_400_000;
/** ACM starts to renew 60 days before expiry. If 30 days are left, the renewal has been failing for a month. */
const RENEWAL_OVERDUE = 30 * DAY;

function judgeCertificate(
  { arn, domains }: NonNullable<NamedNeeds['certificate']>,
  found: Certificate | undefined,
  now: number,
): Finding {
  const check = 'Certificate of the domain';
  const [domain = ''] = domains;
  const request = `aws acm request-certificate --region us-east-1 --domain-name ${domain} --validation-method DNS; then set \`domain.certificate\` to the ARN that it prints`;
  const show = `aws acm describe-certificate --region us-east-1 --certificate-arn ${arn}`;
  const problem = (sentence: string, fix: string): Finding => ({
    check,
    level: 'problem',
    found: sentence,
    needed: `A certificate of this account in us-east-1 with the status ISSUED for ${domain}; CloudFront refuses any other certificate, and the stack with the distribution fails.`,
    fix,
  });
  if (!found) return problem(`ACM has no certificate ${arn}.`, request);
  const { status, names, expires } = found;
  if (status === 'PENDING_VALIDATION')
    return problem(`The certificate ${arn} waits for its DNS record.`, `${show}; add the record that it shows`);
  if (status !== 'ISSUED') return problem(`The certificate ${arn} has the status ${status}.`, request);
  const uncovered = domains.filter((each) => !names.some(covers(each)));
  if (uncovered.length > 0)
    return problem(
      `The certificate ${arn} is for ${names.join(', ') || 'no names'}, and not for ${uncovered.join(', ')}.`,
      request,
    );
  const day = expires?.toISOString().slice(0, 10);
  if (expires && expires.getTime() <= now) return problem(`The certificate ${arn} expired on ${day}.`, request);
  const text = `Issued for ${names.join(', ')}${day ? `, until ${day}` : ''}.`;
  if (!expires || expires.getTime() - now > RENEWAL_OVERDUE) return { check, level: 'ok', found: text };
  const needed =
    'A certificate that ACM renews, or a newly imported one. Keep the DNS record of its validation. After the expiry, clients cannot connect.';
  return { check, level: 'warning', found: text, needed, fix: `${show}; see RenewalSummary` };
}

const checkCertificate = (account: Account, need: NonNullable<NamedNeeds['certificate']>, now: number) =>
  warnIfUnchecked('Certificate of the domain', async () =>
    judgeCertificate(need, await account.certificate(need.arn), now),
  );

function checkTopic(account: Account, topic: string, region: string): Promise<Finding> {
  const check = 'Topic of the alarms';
  const [, , , topicRegion = '', , name = ''] = topic.split(':');
  const subscribe = `aws sns subscribe --region ${topicRegion} --topic-arn ${topic} --protocol email --notification-endpoint ADDRESS`;
  const create = `aws sns create-topic --region ${region} --name ${name}`;
  if (topicRegion !== region)
    return Promise.resolve({
      check,
      level: 'problem',
      found: `The topic ${topic} is in ${topicRegion}, and the alarms are in ${region}.`,
      needed: `A topic in ${region}; CloudWatch refuses a topic of another Region, and the stacks with alarms fail.`,
      fix: `${create}; then set \`alarms\` to the ARN that it prints`,
    });
  return warnIfUnchecked(check, async () => {
    const subscriptions = await account.subscriptions(topic);
    const needed =
      'A topic with a confirmed subscription. Without one, a deployment succeeds, and its alarms send no notifications.';
    if (subscriptions === undefined)
      return { check, level: 'warning', found: `There is no topic ${topic}.`, needed, fix: `${create}; ${subscribe}` };
    const plural = subscriptions === 1 ? '' : 's';
    if (subscriptions > 0)
      return { check, level: 'ok', found: `${name} has ${subscriptions} confirmed subscription${plural}.` };
    return {
      check,
      level: 'warning',
      found: `The topic ${topic} has no confirmed subscription.`,
      needed,
      fix: subscribe,
    };
  });
}

function checkSecret(account: Account, name: string, region: string): Promise<Finding> {
  const check = `Secret ${name}`;
  return warnIfUnchecked(check, async () => {
    const state = await account.secret(name);
    if (state === 'exists') return { check, level: 'ok', found: `The secret ${name} exists.` };
    return {
      check,
      level: 'problem',
      found:
        state === 'missing'
          ? `There is no secret ${name} in ${region}.`
          : `The secret ${name} is scheduled for deletion.`,
      needed: 'The secret that a setting names. CloudFormation reads it, and the stack that uses it fails without it.',
      fix:
        state === 'missing'
          ? `aws secretsmanager create-secret --region ${region} --name ${name} --secret-string file://FILE`
          : `aws secretsmanager restore-secret --region ${region} --secret-id ${name}`,
    };
  });
}

const ROLE = 'ApiGatewayLogs';
const trust = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' }],
};

/** @param caller ARN of the caller, whose partition and account the role must have */
function checkLogging(account: Account, stacks: readonly string[], { region, caller }: CheckContext): Promise<Finding> {
  const check = 'Logging role of API Gateway';
  const [, partition = 'aws', , , owner = 'ACCOUNT'] = caller.split(':');
  return warnIfUnchecked(check, async () => {
    const role = await account.loggingRole();
    if (role) return { check, level: 'ok', found: `${role}.` };
    return {
      check,
      level: 'problem',
      found: `API Gateway has no role in ${region} with which it writes logs.`,
      needed: `The role, because \`accessLogDays\` is set; without it, API Gateway refuses the stages of ${stacks.join(' and ')}.`,
      fix: [
        `aws iam create-role --role-name ${ROLE} --assume-role-policy-document '${JSON.stringify(trust)}'`,
        `aws iam attach-role-policy --role-name ${ROLE} --policy-arn arn:${partition}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`,
        `aws apigateway update-account --region ${region} --patch-operations op=replace,path=/cloudwatchRoleArn,value=arn:${partition}:iam::${owner}:role/${ROLE}`,
      ].join(' && '),
    };
  });
}

interface CheckContext {
  readonly region: string;
  /** ARN of the caller. */
  readonly caller: string;
  /** Current time, in milliseconds since 1970. */
  readonly now: number;
}

export const checkNamed = (account: Account, needs: NamedNeeds, context: CheckContext): Promise<Finding>[] => [
  ...(needs.certificate ? [checkCertificate(account, needs.certificate, context.now)] : []),
  ...(needs.topic ? [checkTopic(account, needs.topic, context.region)] : []),
  ...needs.secrets.map((name) => checkSecret(account, name, context.region)),
  ...(needs.logged.length > 0 ? [checkLogging(account, needs.logged, context)] : []),
];
