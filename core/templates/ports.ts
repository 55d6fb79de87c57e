import type { Ports } from '../ports.ts';
import type { Templates } from './store.ts';
import type { Vault } from './vault.ts';

/** What operations of templates need of the outside. */
export interface TemplatePorts extends Pick<Ports, 'clock' | 'endpoints'> {
  readonly templates: Templates;
  readonly vault: Pick<Vault, 'find'>;
  readonly newTemplateId: () => string;
  /** Credits that a template earns with each minute of its workers. */
  readonly earnedPerMinute: number;
}
