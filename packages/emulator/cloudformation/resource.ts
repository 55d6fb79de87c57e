/** A resource of a template, and its names on this machine. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Stack } from '../synthesis/assembly.ts';

export interface Resource<Properties = unknown> {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  /** Properties without intrinsic functions. */
  readonly properties: Properties;
}

/** The values of `Ref` and `Fn::GetAtt` for a resource. */
export interface Identity {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export const describe = ({ stack, logicalId, type }: Resource): string => `${stack.id}/${logicalId} (${type})`;

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * Returns the name of a resource without a name in the template. The name is the same in every run and every
 * deployment, so that a state directory keeps its tables when the name of its deployment changes.
 */
export function physicalName({ stack, logicalId }: Resource, maxLength = 255): string {
  const name = `${stack.id}-${logicalId}`;
  if (name.length <= maxLength) return name;
  return `${name.slice(0, maxLength - 9)}-${digest(name, 8)}`;
}

/**
 * Returns a name that contains the stack's name, as policies expect. It is for resources that do not outlive a run.
 */
export const nameInAws = ({ stack, logicalId }: Resource): string => `${stack.name}-${logicalId}`;

/** Returns an id in the format of AWS that is the same in every run. */
export const shortId = ({
  stack,
  logicalId,
}: {
  readonly stack: Pick<Stack, 'id'>;
  readonly logicalId: string;
}): string => digest(`${stack.id}/${logicalId}`, 10);

/** A property that is ignored, because its setting has no counterpart on one machine. */
export const ignored = z.optional(z.unknown());
