/**
 * Compares the zones that the ingress would use with those that VPC links and VPC origins support. Zones have other
 * names in each account, so their ids are compared. A wrong zone fails `Platform`, after `Fleet` has its subnets.
 */
import { type App, isValues, type Resource } from '../assembly/app.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import type { Zone } from './network-reads.ts';
import { links, origins, type ZonedFeature } from './supported-zones.ts';
import { warnIfUnchecked } from './target.ts';

const CHECK = 'Zones of the ingress';

/** A zone of the templates: its name, a subnet in it, or its position among the zones of the account. */
type Planned = { readonly name: string } | { readonly subnet: string } | { readonly position: number };

/** What needs zones: `features` with the number of zones that each uses, in the order of the subnets. */
export interface ZonesNeed {
  readonly zones: readonly Planned[];
  readonly features: readonly { readonly feature: ZonedFeature; readonly zones: number }[];
  /** Id of the stack that fails in other zones. */
  readonly stack: string;
}

/** Name of the parameter with one private subnet in each zone, which the ingress uses. */
const ZONE_SUBNETS = /\/ZoneSubnets$/;

function plannedIn({ properties }: Resource): Planned[] {
  const { AvailabilityZone: zone } = properties;
  if (typeof zone === 'string') return [{ name: zone }];
  const selected = isValues(zone) ? zone['Fn::Select'] : undefined;
  return Array.isArray(selected) ? [{ position: Number(selected[0]) }] : [];
}

/** Returns the zones of a list of subnets, which are ids of an existing VPC or resources of the stack. */
function zonesIn(app: App, parameter: Resource): Planned[] {
  const { Value: value } = parameter.properties;
  if (typeof value === 'string') return value.split(',').map((subnet) => ({ subnet }));
  const joined = isValues(value) ? value['Fn::Join'] : undefined;
  const references: unknown[] = Array.isArray(joined) && Array.isArray(joined[1]) ? joined[1] : [];
  return references.flatMap((reference) => {
    const subnet = app.follow(parameter, reference);
    return subnet ? plannedIn(subnet) : [];
  });
}

/** Returns the zones that the ingress needs, or undefined without an ingress. */
export function zonesNeed(app: App): ZonesNeed | undefined {
  const { resources } = app;
  const link = resources.find(({ type }) => type === 'AWS::ApiGatewayV2::VpcLink');
  const parameter = resources.find(({ properties }) => ZONE_SUBNETS.test(String(properties.Name)));
  if (!link || !parameter) return undefined;
  const zones = zonesIn(app, parameter);
  const { SubnetIds: linked } = link.properties;
  const hasOrigin = resources.some(({ type }) => type === 'AWS::CloudFront::VpcOrigin');
  return {
    zones,
    features: [
      { feature: links, zones: Array.isArray(linked) ? linked.length : zones.length },
      // CloudFront reaches the load balancer in all of its zones.
      ...(hasOrigin ? [{ feature: origins, zones: zones.length }] : []),
    ],
    stack: link.stack,
  };
}

/** Returns the zones of the account for those of the templates. */
async function found(account: Account, planned: readonly Planned[]): Promise<readonly (Zone | undefined)[]> {
  const subnets = planned.flatMap((zone) => ('subnet' in zone ? [zone.subnet] : []));
  if (subnets.length > 0) return account.zonesOfSubnets(subnets);
  const [all, defaults] = await Promise.all([account.zones(), account.defaultZones()]);
  return planned.map((zone) =>
    'position' in zone ? defaults[zone.position] : all.find(({ name }) => 'name' in zone && name === zone.name),
  );
}

const shown = ({ name, id }: Zone): string => `${name} (${id})`;
const shownAll = (zones: readonly Zone[]): string => zones.map(shown).join(', ');

/** Returns the name of a zone, a subnet, or a position that the account does not have. */
const missingName = (zone: Planned | undefined): string =>
  zone === undefined || 'position' in zone
    ? 'second zone'
    : 'name' in zone
      ? `zone ${zone.name}`
      : `subnet ${zone.subnet}`;

const pages = (features: readonly ZonedFeature[]): string => features.map(({ source }) => source).join(' and ');

/** Returns how to choose other zones, or to deploy without zones. */
function fixOf(need: ZonesNeed, possible: readonly Zone[]): string {
  const without = 'deploy with -c ingress=off';
  if (possible.length < 2) return without;
  const names = possible.map(({ name }) => name);
  const isExisting = need.zones.some((zone) => 'subnet' in zone);
  const setting = isExisting
    ? `set \`network.privateSubnetIds\` and \`network.availabilityZones\` to subnets in two of ${names.join(', ')}`
    : `set \`network.availabilityZones: [${names.slice(0, Math.max(2, need.zones.length)).join(', ')}]\``;
  return `${setting} in the file of the environment before the first deployment; or ${without}`;
}

interface Judged {
  readonly region: string;
  readonly zones: readonly Zone[];
  /** Zones of the account. */
  readonly all: readonly Zone[];
  /** Whether the stack with the ingress is deployed, so that AWS has accepted zones before. */
  readonly isDeployed: boolean;
}

function judge(need: ZonesNeed, { region, zones, all, isDeployed }: Judged): Finding {
  const checks = need.features.map(({ feature, zones: number }) => ({ feature, used: zones.slice(0, number) }));
  const refused = checks.flatMap(({ feature, used }) => {
    const bad = used.filter(({ id }) => feature.supports(region, id) === false);
    return bad.length > 0 ? [`${feature.name} do not support ${shownAll(bad)}`] : [];
  });
  const features = need.features.map(({ feature }) => feature);
  if (refused.length > 0) {
    const possible = all.filter(({ id }) => features.every((feature) => feature.supports(region, id) !== false));
    return {
      check: CHECK,
      level: isDeployed ? 'warning' : 'problem',
      found: `The ingress uses ${shownAll(zones)}: ${refused.join(', and ')}.`,
      needed: `Zones such as ${shownAll(possible)}. In other zones, the stack ${need.stack} fails after the subnets exist.`,
      fix: fixOf(need, possible),
    };
  }
  const unknown = checks.filter(({ feature, used }) =>
    used.some(({ id }) => feature.supports(region, id) === undefined),
  );
  if (unknown.length === 0)
    return {
      check: CHECK,
      level: 'ok',
      found: `${shownAll(zones)}: ${features.map(({ name }) => name).join(' and ')} support them.`,
    };
  const names = unknown.map(({ feature: { name, read } }) => `${name} (as documented on ${read})`).join(' and ');
  return {
    check: CHECK,
    level: isDeployed ? 'ok' : 'warning',
    found: `The ingress uses ${shownAll(zones)}. The zones of ${names} in ${region} are not known here.`,
    ...(!isDeployed && {
      needed: `Zones that both support. In other zones, the stack ${need.stack} fails after the subnets exist.`,
      fix: `compare the ids with the list of ${region} at ${pages(unknown.map(({ feature }) => feature))}; if a zone is missing there, set \`network.availabilityZones\``,
    }),
  };
}

/** @param present ids of the stacks that are deployed */
export function checkZones(
  account: Account,
  need: ZonesNeed,
  { region, present }: { readonly region: string; readonly present: Promise<ReadonlySet<string>> },
): Promise<Finding> {
  return warnIfUnchecked(CHECK, async () => {
    const [zones, all, deployed] = await Promise.all([found(account, need.zones), account.zones(), present]);
    const missing = zones.indexOf(undefined);
    if (missing >= 0)
      return {
        check: CHECK,
        level: 'problem',
        found: `The account has no ${missingName(need.zones[missing])} in ${region}.`,
        needed: `Zones of the account: ${shownAll(all)}.`,
        fix: fixOf(need, all),
      };
    const known = zones.filter((zone) => zone !== undefined);
    return judge(need, { region, zones: known, all, isDeployed: deployed.has(need.stack) });
  });
}
