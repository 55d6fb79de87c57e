/**
 * Creates custom resources once, updates them when their properties change, and deletes those that leave the
 * templates. The created resources are stored between runs, as in CloudFormation.
 */
import { isDeepStrictEqual } from 'node:util';
import { arn } from '../account.ts';
import type { Functions } from '../functions/functions.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { type CustomResourceAnswer, callCustomResource } from './custom-resource-call.ts';

export interface CustomResource {
  /**
   * Id of the stack, which does not change with the name of the deployment. The state directory contains the field
   * under the name `stackName`.
   */
  readonly stackName: string;
  readonly logicalId: string;
  readonly type: string;
  /** ARN of the function behind the resource. */
  readonly serviceToken: string;
  readonly properties: unknown;
  /** Milliseconds within which the function must respond. */
  readonly limit: number;
}

interface Existing extends CustomResource {
  /** The account data that the function has read, if any. */
  readonly read?: string | undefined;
  readonly physicalId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface CustomResources {
  /** Creates the resource, or updates it if its properties have changed. */
  apply(resource: CustomResource): Promise<Pick<Existing, 'physicalId' | 'data'>>;
  /**
   * Deletes the resources that an earlier run created and this run did not apply.
   * @param stackName stack whose resources are deleted; by default, resources of all stacks are deleted
   */
  deleteOthers(stackName?: string): Promise<void>;
}

const FILE = 'custom-resources.json';

/** Converts every scalar to a string, as CloudFormation does. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]));
}

const keyOf = ({ stackName, logicalId }: CustomResource) => `${stackName}/${logicalId}`;

/**
 * Creates the emulation of custom resources, which are stored in a state directory.
 * @param reads account data that functions read, by resource type. Here, a change of the data updates the resource;
 *   in AWS, an operator makes the function read the data again.
 */
export function createCustomResources(
  state: StateDirectory,
  functions: Functions,
  reads: Readonly<Record<string, string>> = {},
): CustomResources {
  const existing = new Map(Object.entries(state.readJson<Record<string, Existing>>(FILE) ?? {}));
  const applied = new Set<string>();
  const remember = () => state.writeJson(FILE, Object.fromEntries(existing));

  function call(
    RequestType: 'Create' | 'Update' | 'Delete',
    resource: CustomResource,
    rest: { PhysicalResourceId?: string; OldResourceProperties?: unknown } = {},
  ): Promise<CustomResourceAnswer> {
    const { stackName, logicalId, type, serviceToken, properties, limit } = resource;
    const event = {
      RequestType,
      StackId: arn('cloudformation', `stack/${stackName}/local`),
      LogicalResourceId: logicalId,
      ResourceType: type,
      ServiceToken: serviceToken,
      ResourceProperties: properties,
      ...rest,
    };
    return callCustomResource(functions, event, { where: `${keyOf(resource)} (${type})`, limit });
  }

  async function remove(resource: Existing): Promise<void> {
    await call('Delete', resource, { PhysicalResourceId: resource.physicalId });
  }

  return {
    async apply(declared) {
      const resource = { ...declared, properties: asTexts(declared.properties) };
      const key = keyOf(resource);
      const before = existing.get(key);
      const read = reads[declared.type];
      applied.add(key);
      if (before && before.read === read && isDeepStrictEqual(before.properties, resource.properties)) return before;

      const answer = before
        ? await call('Update', resource, {
            PhysicalResourceId: before.physicalId,
            OldResourceProperties: before.properties,
          })
        : await call('Create', resource);
      const physicalId = answer.PhysicalResourceId ?? before?.physicalId ?? key;
      const after: Existing = { ...resource, read, physicalId, data: answer.Data };
      existing.set(key, after);
      remember();
      // A new physical id identifies a new resource, which replaces the previous one.
      if (before && before.physicalId !== physicalId) await remove(before);
      return after;
    },

    async deleteOthers(stackName) {
      // Resources are deleted in reverse order, because later ones can depend on earlier ones.
      for (const [key, resource] of [...existing].reverse()) {
        if (applied.has(key) || (stackName ?? resource.stackName) !== resource.stackName) continue;
        // A resource cannot be deleted by its function if the function has left the templates too.
        if (functions.has(resource.serviceToken)) await remove(resource);
        existing.delete(key);
        remember();
      }
    },
  };
}
