import { systemClock } from '../core/clock.ts';
import type { DeclaredPorts } from '../core/templates/declare.ts';
import { createDocumentClient } from './clients.ts';
import { environment } from './environment.ts';
import { createTemplates } from './templates.ts';

/** Templates, for whoever needs nothing else of the ports. */
export const createDeclaredPorts = (clock = systemClock): DeclaredPorts => ({
  clock,
  templates: createTemplates(createDocumentClient(), environment('TEMPLATES_TABLE'), clock),
});
