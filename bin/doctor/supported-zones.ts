/** The zones that VPC links V2 and VPC origins support, as `zones.yaml` records AWS's documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const byRegion = z.record(z.string(), z.array(z.string()));
/** The address of the page, and the day on which it was read. */
const page = { source: z.url(), read: z.iso.date() };

const recorded = z.strictObject({
  vpcLinks: z.strictObject({ ...page, zones: byRegion }),
  vpcOrigins: z.strictObject({ ...page, except: byRegion }),
});

const { vpcLinks, vpcOrigins } = recorded.parse(parse(readFileSync(join(import.meta.dirname, 'zones.yaml'), 'utf8')));

/** A feature of AWS that exists in some zones only. */
export interface ZonedFeature {
  readonly name: string;
  readonly source: string;
  /** Day on which the page at `source` was read, such as `2026-11-28`. */
  readonly read: string;
  /** Returns whether the feature supports the zone with this id, or undefined if the Region is not known here. */
  supports(region: string, zoneId: string): boolean | undefined;
}

export const links: ZonedFeature = {
  name: 'VPC links V2 of API Gateway',
  source: vpcLinks.source,
  read: vpcLinks.read,
  supports: (region, zoneId) => vpcLinks.zones[region]?.includes(zoneId),
};

export const origins: ZonedFeature = {
  name: 'VPC origins of CloudFront',
  source: vpcOrigins.source,
  read: vpcOrigins.read,
  supports(region, zoneId) {
    const excepted = vpcOrigins.except[region];
    return excepted && !excepted.includes(zoneId);
  },
};
