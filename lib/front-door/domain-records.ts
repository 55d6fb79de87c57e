import { Token } from 'aws-cdk-lib';
import { AaaaRecord, ARecord, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { InvalidSetting } from '../settings/settings.ts';
import type { Domain } from './domain-setting.ts';

export interface DomainRecordsProps {
  readonly hostedZone: IHostedZone;
  readonly domain: Domain | undefined;
  /** CloudFront's own domain name of the distribution. */
  readonly target: string;
}

/** The alias records by which the domain name of the settings leads to the distribution, by IPv4 and IPv6. */
export class DomainRecords extends Construct {
  /** @throws InvalidSetting if the settings have no domain name, or one that is not in the zone */
  constructor(scope: Construct, id: string, { hostedZone, domain, target }: DomainRecordsProps) {
    super(scope, id);
    const name = nameIn(hostedZone, domain);
    const alias = { dnsName: target, hostedZoneId: CloudFrontTarget.getHostedZoneId(this) };
    const props = {
      zone: hostedZone,
      // With the last dot, CDK does not append the name of the zone, which can be unknown at synthesis.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias({ bind: () => alias }),
    };
    new ARecord(this, 'A', props);
    new AaaaRecord(this, 'Aaaa', props);
  }
}

function nameIn({ zoneName }: IHostedZone, domain: Domain | undefined): string {
  if (domain === undefined)
    throw new InvalidSetting(
      'The app gives `hostedZone`, which has no effect without the setting `domain`: set `domain`, or remove it.',
    );
  const { name } = domain;
  const zone = zoneName.replace(/\.$/, '');
  if (Token.isUnresolved(zoneName) || name === zone || name.endsWith(`.${zone}`)) return name;
  throw new InvalidSetting(
    `The context \`domain.name\` must be a name in the zone ${zone}, which the app gives as \`hostedZone\`, got ${JSON.stringify(name)}.`,
  );
}
