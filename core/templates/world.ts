import type { World } from '../world.ts';
import type { Templates } from './store.ts';
import type { Vault } from './vault.ts';

/** What operations of templates need of the outside. */
export interface TemplateWorld extends Pick<World, 'clock' | 'endpoints'> {
  readonly templates: Templates;
  readonly vault: Pick<Vault, 'find'>;
  readonly newTemplateId: () => string;
  /** Credits that a template earns with each minute of its workers. */
  readonly earnedPerMinute: number;
}
