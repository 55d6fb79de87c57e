/**
 * Creates custom resources once, updates them when their properties change, and deletes them when they leave the
 * templates. The created resources are stored from run to run, as in CloudFormation.
 */
import { isDeepStrictEqual } from 'node:util';
import { arn } from '../account.ts';
import type { Functions } from '../functions/functions.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { type CustomResourceAnswer, callCustomResource } from './custom-resource-call.ts';

export interface CustomResource {
  /** Id of the stack, which does not change with the name of the deployment. Stored under this name. */
  readonly stackName: string;
  readonly logicalId: string;
  readonly type: string;
  /** ARN of the function. */
  readonly serviceToken: string;
  readonly properties: unknown;
  /** Milliseconds until the function must respond. */
  readonly limit: number;
}

interface Existing extends CustomResource {
  /** What its function has read of the account, if anything. */
  readonly read?: string | undefined;
  readonly physicalId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface CustomResources {
  /** Creates the resource, or updates it to its properties. */
  apply(resource: CustomResource): Promise<Pick<Existing, 'physicalId' | 'data'>>;
  /**
   * Deletes those that were created in an earlier run and not applied in this one.
   * @param stackName of this stack alone. @default - of all stacks
   */
  deleteOthers(stackName?: string): Promise<void>;
}

const FILE = 'custom-resources.json';

/** CloudFormation passes every scalar as text. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]));
}

const keyOf = ({ stackName, logicalId }: CustomResource) => `${stackName}/${logicalId}`;

/**
 * Creates the custom resources of a state directory.
 * @param reads what the functions behind a type read of the account, by type. In AWS an operator has it read again
 *   after a
 * change; here the resource is updated.
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
      // Another physical id is another resource, which replaces the previous one.
      if (before && before.physicalId !== physicalId) await remove(before);
      return after;
    },

    async deleteOthers(stackName) {
      // Later resources may need earlier ones.
      for (const [key, resource] of [...existing].reverse()) {
        if (applied.has(key) || (stackName ?? resource.stackName) !== resource.stackName) continue;
        // A resource whose function has left the templates too cannot be deleted by it.
        if (functions.has(resource.serviceToken)) await remove(resource);
        existing.delete(key);
        remember();
      }
    },
  };
}
