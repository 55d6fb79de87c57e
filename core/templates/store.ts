/** The store of templates, and the ports that their use-cases need. */

import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { EventPorts } from '../history/record-event.ts';
import type { Template } from './template.ts';
import type { Vault } from './vault.ts';

/** Outcome of a write: written, name taken by another template, or changed by another writer since it was read. */
export type Written = 'written' | 'name taken' | 'changed';

/** The run time of one worker of a template. */
export interface Run {
  /** Id of the task, whose run time is added only once, even if its stop is reported several times. */
  readonly worker: string;
  readonly template: string;
  readonly milliseconds: number;
}

export interface Templates {
  /**
   * Stores a new template, unless another template has its name (`nameKeyOf`) or its id. Only one of several
   * concurrent callers succeeds.
   */
  create(template: Template): Promise<Written>;
  /** Returns the template by a strongly consistent read, or undefined if it does not exist or was deleted. */
  read(id: string): Promise<Template | undefined>;
  /** Returns the id of the template with the name. */
  named(name: string): Promise<string | undefined>;
  /** Returns all templates that were not deleted, sorted by id. */
  list(after?: string): AsyncIterable<Template>;
  /**
   * Replaces the template if it still equals `from`. If the version changes, retains the settings of the replaced version
   * for `VERSIONS_KEPT`, without the readme and the drift.
   */
  replace(from: Template, to: Template): Promise<Written>;
  /** Returns a replaced version of the template, or undefined if it is not retained. */
  replaced(id: string, version: number): Promise<Template | undefined>;
  /**
   * Deletes the template and frees its name, unless an endpoint uses it or it was changed. Retains a copy for
   * `DELETED_KEPT`.
   */
  remove(template: Template): Promise<boolean>;
  /** Returns the ids of the endpoints that use the template. */
  endpointsOf(id: string): Promise<string[]>;
  /**
   * Stores that the endpoint uses the template.
   * @returns false if the template was deleted, or is withdrawn and the endpoint does not use it yet
   */
  associate(id: string, endpoint: string): Promise<boolean>;
  /** Stores that the endpoint no longer uses the template, and removes the versions that the endpoint pinned. */
  dissociate(id: string, endpoint: string): Promise<void>;
  /**
   * Stores this version of the template for the endpoint, and retains the version that the endpoint pinned before.
   */
  pin(endpoint: string, template: Template): Promise<void>;
  /** Returns a version that is stored for the endpoint. */
  pinned(endpoint: string, id: string, version: number): Promise<Template | undefined>;
  /** Adds the run time of a worker, once. Does nothing if the template does not exist. */
  addRunTime(run: Run): Promise<void>;
  /** Returns the run time of each template's stopped workers, in milliseconds. */
  runTimes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Ports of the operations on templates. */
export interface TemplatePorts extends EventPorts {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly templates: Templates;
  readonly vault: Pick<Vault, 'find'>;
  readonly newTemplateId: () => string;
  /** Whether clients can change fields that a file declares only with a reason. */
  readonly isDeclaredLocked: boolean;
  /** Credits that a template earns for each minute of its workers. */
  readonly earnedPerMinute: number;
}

/** Thrown if a file in Git requests a template that the service refuses. The message is a sentence with the reason. */
export class TemplateRefused extends Error {
  override readonly name = 'TemplateRefused';
}
