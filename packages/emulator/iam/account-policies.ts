/** The managed policies that the guides let users create in their account, as permissions boundaries of roles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { arn } from '../account.ts';
import type { Product } from '../product.ts';
import type { Stack } from '../synthesis/assembly.ts';
import type { Permissions } from './permissions.ts';
import { type PolicyDocument, parsePolicy, policyDocument } from './statement.ts';

/** Buckets have names in lower case. */
const BUCKETS = 'arn:aws:s3:::';

/**
 * Adds the names of this machine to the names that resources have in AWS. In AWS, the name of a stack begins with the
 * name of its deployment, and so do the names of its resources. Here, most resources are named by the id of their
 * stack, so that their names do not depend on the deployment.
 */
function withLocalNames({ Statement, ...rest }: PolicyDocument, prefix: string, stacks: readonly Stack[]) {
  const alsoLocal = (resource: string) => {
    if (!resource.includes(prefix)) return [resource];
    const local = stacks.map(({ id }) => resource.replace(prefix, `${id}-`));
    return [resource, ...(resource.startsWith(BUCKETS) ? local.map((name) => name.toLowerCase()) : local)];
  };
  const statements = Statement.map((each) => ({ ...each, Resource: [each.Resource].flat().flatMap(alsoLocal) }));
  return { ...rest, Statement: statements };
}

/**
 * Declares the policies of the account.
 * @throws LocalError if a document cannot be evaluated here
 */
export function declareAccountPolicies(
  permissions: Pick<Permissions, 'addManagedPolicy'>,
  { folder, policies }: Pick<Product, 'folder' | 'policies'>,
  stacks: readonly Stack[],
): void {
  if (!policies) return;
  const { documents, prefix } = policies;
  for (const [name, file] of Object.entries(documents)) {
    const document = z.parse(policyDocument, JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const statements = parsePolicy(withLocalNames(document, prefix, stacks), file, 'identity');
    permissions.addManagedPolicy(arn('iam', `policy/${name}`, ''), statements);
  }
}
