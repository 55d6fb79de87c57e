/** CloudFormation on this machine: creates the resources of the stacks, one stack after another. */

import type { Cloud } from '../cloud.ts';
import { LocalError } from '../local-error.ts';
import type { Progress } from '../progress.ts';
import type { Stack } from '../synthesis/assembly.ts';
import { resolve, type Scope } from './intrinsics.ts';
import { parameterOf } from './parameters.ts';
import { describe, type Identity, type Resource } from './resource.ts';
import { resourceTypeOf } from './resource-types.ts';
import { deleteUndeclaredQueues } from './resources/sqs.ts';
import { inDeploymentOrder } from './template.ts';

/** Output values of a stack, by output name. */
export type StackOutputs = Readonly<Record<string, unknown>>;

/** Values that stacks export, by export name. */
export type Exports = Map<string, unknown>;

function scopeOf(stack: Stack, cloud: Cloud, exports: Exports, identities: ReadonlyMap<string, Identity>): Scope {
  const { template } = stack;
  const scope: Scope = {
    stackName: stack.name,
    ref: (name) => identities.get(name)?.ref ?? parameterOf(template, name, cloud.parameters),
    attribute(logicalId, attribute) {
      const value = identities.get(logicalId)?.attributes?.[attribute];
      if (value !== undefined) return value;
      const type = template.Resources[logicalId]?.Type ?? '';
      if (resourceTypeOf(type)?.anyAttribute) return `${logicalId}.${attribute}`;
      throw new LocalError(`${stack.id}/${logicalId} (${type}) has no attribute ${attribute} here.`);
    },
    imported(name) {
      if (!exports.has(name)) throw new LocalError(`Stack ${stack.id} imports ${name}, which no stack exports.`);
      return exports.get(name);
    },
    condition: (name) => Boolean(resolve(template.Conditions?.[name] ?? false, scope)),
    mapped: (mapping, key, attribute) => template.Mappings?.[mapping]?.[key]?.[attribute],
    localized: cloud.localized,
  };
  return scope;
}

const applies = ({ Condition }: { Condition?: string }, scope: Scope) => !Condition || scope.condition(Condition);

/**
 * Deploys a stack.
 * @throws LocalError that names the first resource that cannot run here
 */
export async function deployStack(stack: Stack, cloud: Cloud, exports: Exports): Promise<StackOutputs> {
  const { template } = stack;
  const identities = new Map<string, Identity>();
  const scope = scopeOf(stack, cloud, exports, identities);

  for (const [logicalId, declared] of inDeploymentOrder(template)) {
    if (!applies(declared, scope)) continue;
    const properties = resolve(declared.Properties ?? {}, scope);
    const resource: Resource = { stack, logicalId, type: declared.Type, properties };
    const type = resourceTypeOf(declared.Type);
    if (!type) throw new LocalError(`${describe(resource)} cannot run here: its type is not supported.`);
    identities.set(logicalId, await type.create(resource, cloud));
  }

  // At the end of a stack's update, CloudFormation deletes the resources that the template no longer has.
  await cloud.customResources.deleteOthers(stack.id);

  const outputs = Object.entries(template.Outputs ?? {}).filter(([, output]) => applies(output, scope));
  const values = outputs.map(([name, { Value, Export }]) => {
    const resolved = resolve(Value, scope);
    // A literal address in the template, such as that of an alias, is not localized yet.
    const value = typeof resolved === 'string' ? cloud.localized(resolved) : resolved;
    if (Export) exports.set(String(resolve(Export.Name, scope)), value);
    return [name, value];
  });
  return Object.fromEntries(values);
}

/**
 * Deploys the stacks in order, and deletes the custom resources and queues that only earlier runs declared.
 * @param deployed is called after each stack
 * @returns outputs by stack id
 */
export async function deployStacks(
  stacks: readonly Stack[],
  cloud: Cloud,
  progress: Pick<Progress, 'step'>,
  deployed: (stackId: string, outputs: StackOutputs) => void = () => undefined,
) {
  const exports: Exports = new Map();
  const outputs: Partial<Record<string, StackOutputs>> = {};
  for (const stack of stacks) {
    progress.step(`Deploying ${stack.id} ...`);
    const its = await deployStack(stack, cloud, exports);
    outputs[stack.id] = its;
    deployed(stack.id, its);
  }
  await cloud.customResources.deleteOthers();
  await deleteUndeclaredQueues(cloud);
  return outputs;
}
