/** Reads the template that an endpoint's stack names or contains. */
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { TemplateRequest } from '../../core/templates/associate.ts';
import { number } from '../scalars.ts';
import { category, settings } from './properties.ts';

const carriedSchema = z.object(settings);
const propertiesSchema = z.object({
  endpoint: z.string(),
  owner: z.optional(z.string()),
  category,
  largestDiskInGb: number,
  imageRepositories: z.array(z.string()),
  named: z.optional(z.string()),
  pinTemplate: z.optional(number),
  carried: z.optional(carriedSchema),
});

export function templateRequestFrom(event: CloudFormationCustomResourceEvent): TemplateRequest {
  const { named, carried, pinTemplate: pin, ...request } = propertiesSchema.parse(event.ResourceProperties);
  const { endpoint, owner, ...place } = request;
  const template = carried ? { carried } : { named: z.parse(z.string(), named), pin };
  return { endpoint, place, template, ...(owner !== undefined && { owner }) };
}
