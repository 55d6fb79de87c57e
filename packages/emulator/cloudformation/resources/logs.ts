import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { ignored, nameInAws } from '../resource.ts';
import { run } from '../resource-type.ts';

const DAY = 24 * 60 * 60 * 1000;

const logGroupSchema = z.strictObject({
  LogGroupName: z.optional(z.string()),
  RetentionInDays: z.optional(z.coerce.number()),
  Tags: ignored,
});

/** Creates a log group. It contains the output of containers; functions log to files only. */
export const logGroup = run(logGroupSchema, (resource, { logs }) => {
  const { LogGroupName: name = nameInAws(resource), RetentionInDays } = resource.properties;
  logs.declare(name, RetentionInDays === undefined ? undefined : RetentionInDays * DAY);
  return { ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } };
});
