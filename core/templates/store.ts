/** The store of templates, and the ports that their use-cases need. */

import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Template } from './template.ts';
import type { Vault } from './vault.ts';

/** The outcome of a write: another template has the name, or another writer changed the template since it was read. */
export type Written = 'written' | 'name taken' | 'changed';

/** The run time of one worker of a template. */
export interface Run {
  /** Id of the task, which counts once, however often its end is reported. */
  readonly worker: string;
  readonly template: string;
  readonly milliseconds: number;
}

export interface Templates {
  /**
   * Stores a new template, unless another has its name (`nameKeyOf`) or its id. Of several callers at once, one stores.
   */
  create(template: Template): Promise<Written>;
  /** Returns the template, strongly consistent, or undefined if it does not exist or was deleted. */
  read(id: string): Promise<Template | undefined>;
  /** Returns the id of the template with that name. */
  named(name: string): Promise<string | undefined>;
  /** Returns all templates that were not deleted, by id. */
  list(after?: string): AsyncIterable<Template>;
  /** Replaces the template, if it is still as in `from`. */
  replace(from: Template, to: Template): Promise<Written>;
  /**
   * Deletes the template and frees its name, unless an endpoint uses it or it was changed; keeps a copy for a while.
   */
  remove(template: Template): Promise<boolean>;
  /** Returns the ids of the endpoints that use the template. */
  usersOf(id: string): Promise<string[]>;
  /**
   * Stores that the endpoint uses it; false if it was deleted, or is withdrawn and the endpoint does not use it yet.
   */
  associate(id: string, endpoint: string): Promise<boolean>;
  /** Stores that the endpoint no longer uses it, and removes the versions that the endpoint pinned. */
  dissociate(id: string, endpoint: string): Promise<void>;
  /** Keeps this version of the template for the endpoint, and the version that the endpoint pinned before. */
  pin(endpoint: string, template: Template): Promise<void>;
  /** Returns a version that is kept for the endpoint. */
  pinned(endpoint: string, id: string, version: number): Promise<Template | undefined>;
  /** Adds the run time of a worker, once. */
  addRunTime(run: Run): Promise<void>;
  /** Returns the run time of each template's ended workers, in milliseconds. */
  runTimes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The ports that operations of templates need. */
export interface TemplatePorts {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly templates: Templates;
  readonly vault: Pick<Vault, 'find'>;
  readonly newTemplateId: () => string;
  /** Credits that a template earns with each minute of its workers. */
  readonly earnedPerMinute: number;
}

/** A file in Git asks for a template that it cannot have; the message is a sentence that says why. */
export class TemplateRefused extends Error {}
