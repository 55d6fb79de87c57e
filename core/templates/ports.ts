import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Templates } from './store.ts';
import type { Vault } from './vault.ts';

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
