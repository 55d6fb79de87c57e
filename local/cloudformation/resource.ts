/** A resource of a template on its way to this machine. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Stack } from '../synthesis/assembly.ts';

export interface Resource<Properties = unknown> {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  /** Without intrinsic functions. */
  readonly properties: Properties;
}

/** What `Ref` and `Fn::GetAtt` give for a resource. */
export interface Identity {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export const describe = ({ stack, logicalId, type }: Resource): string => `${stack.id}/${logicalId} (${type})`;

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * The name of a resource that the template leaves to CloudFormation: the same in every run, and in every deployment. A state
 * directory has one deployment, whose tables stay when it gets another name.
 */
export function physicalName({ stack, logicalId }: Resource, longest = 255): string {
  const name = `${stack.id}-${logicalId}`;
  if (name.length <= longest) return name;
  return `${name.slice(0, longest - 9)}-${digest(name, 8)}`;
}

/** The same with what policies go by: the name of the stack. For what is not kept from run to run. */
export const nameInAws = ({ stack, logicalId }: Resource): string => `${stack.name}-${logicalId}`;

/** An id as AWS gives them out, but the same in every run. */
export const shortId = ({ stack, logicalId }: Resource): string => digest(`${stack.id}/${logicalId}`, 10);

/** A property that is read by nobody here, because what it sets has no counterpart on one machine. */
export const ignored = z.optional(z.unknown());
