/** Ports of functions that need templates and nothing else. */
import { systemClock } from '../core/clock.ts';
import type { DeclaredPorts } from '../core/templates/declare.ts';
import { createDocumentClient } from './clients.ts';
import { environment } from './environment.ts';
import { portsFrom } from './ports.ts';
import { createTemplates } from './templates.ts';

export const createDeclaredPorts = (clock = systemClock): DeclaredPorts =>
  portsFrom<DeclaredPorts>({
    clock: () => clock,
    templates: () => createTemplates(createDocumentClient(), environment('TEMPLATES_TABLE'), clock),
  });
