/** Where templates are kept, and what of them. */

import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Template } from './template.ts';
import type { Vault } from './vault.ts';

/** What became of a write: another has the name, or has changed the template since it was read. */
export type Written = 'written' | 'name taken' | 'changed';

/** Milliseconds that one worker of a template ran. */
export interface Run {
  /** Id of the task, which counts once however often it is told. */
  readonly worker: string;
  readonly template: string;
  readonly milliseconds: number;
}

export interface Templates {
  /** Stores a new one, unless another has its name (`nameKeyOf`) or its id: of all callers at once with one name, one does. */
  create(template: Template): Promise<Written>;
  /** As stored, strongly consistent. One that was deleted is not there. */
  read(id: string): Promise<Template | undefined>;
  /** Id of the one of that name. */
  named(name: string): Promise<string | undefined>;
  /** All that were not deleted, by id. */
  list(after?: string): AsyncIterable<Template>;
  /** Stores it anew, if it is still as in `from`. */
  replace(from: Template, to: Template): Promise<Written>;
  /** Deletes it and frees its name, unless an endpoint uses it or it was changed; what it was is kept for a while. */
  remove(template: Template): Promise<boolean>;
  /** Ids of the endpoints that use it. */
  usersOf(id: string): Promise<string[]>;
  /** Notes that the endpoint uses it; false if it was deleted, or is withdrawn and the endpoint does not use it yet. */
  associate(id: string, endpoint: string): Promise<boolean>;
  /** Notes that the endpoint uses it no more, and forgets the versions that the endpoint pinned. */
  dissociate(id: string, endpoint: string): Promise<void>;
  /** Keeps the template as given for the endpoint, and the version that the endpoint pinned before. */
  pin(endpoint: string, template: Template): Promise<void>;
  /** A version that is kept for the endpoint. */
  pinned(endpoint: string, id: string, version: number): Promise<Template | undefined>;
  /** Adds a run of a worker, once. */
  addRunTime(run: Run): Promise<void>;
  /** Milliseconds that workers of each template ran, of those that have ended. */
  runTimes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** What operations of templates need of the outside. */
export interface TemplatePorts {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly templates: Templates;
  readonly vault: Pick<Vault, 'find'>;
  readonly newTemplateId: () => string;
  /** Credits that a template earns with each minute of its workers. */
  readonly earnedPerMinute: number;
}

/** What a file in Git asks of templates and cannot have; the message is a sentence that says why. */
export class TemplateRefused extends Error {}
