/** Ports of the functions that create, change and read templates. */
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../core/clock.ts';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import type { DeclaredPorts } from '../../core/templates/declare.ts';
import type { TemplatePorts } from '../../core/templates/store.ts';
import { templateId } from '../../core/templates/template.ts';
import { createDocumentClient } from '../clients.ts';
import { environment, optionalEnvironment } from '../environment.ts';
import { adaptersOf, documentsOf, type PortOptions, portsFrom } from '../ports.ts';
import { createTemplates } from './templates.ts';
import { createVault } from './vault.ts';

export function createTemplatePorts(options: PortOptions = {}): TemplatePorts {
  const { clock = systemClock, onClient } = options;
  const { endpoints, eventHistory } = adaptersOf(options);
  const documents = documentsOf(onClient);
  return portsFrom<TemplatePorts>({
    clock: () => clock,
    endpoints,
    eventHistory,
    templates: () => createTemplates(documents(), environment('TEMPLATES_TABLE'), clock),
    vault: () => createVault(environment(DEPLOYMENT_VARIABLE)),
    isDeclaredLocked: () => optionalEnvironment('DECLARED') === 'locked',
    earnedPerMinute: () => Number(optionalEnvironment('EARNED_PER_MINUTE') ?? 0),
    newTemplateId: () => () => templateId(randomBytes(32)),
  });
}

/** Ports of functions that need only templates. */
export const createDeclaredPorts = (clock = systemClock): DeclaredPorts =>
  portsFrom<DeclaredPorts>({
    clock: () => clock,
    templates: () => createTemplates(createDocumentClient(), environment('TEMPLATES_TABLE'), clock),
  });
