import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { DEPLOYMENT_VARIABLE } from '../core/deployment.ts';
import type { TemplatePorts } from '../core/templates/store.ts';
import { templateId } from '../core/templates/template.ts';
import { createDocumentClient, type OnClient } from './clients.ts';
import { environment, optionalEnvironment } from './environment.ts';
import { createPorts } from './ports.ts';
import { createTemplates } from './templates.ts';
import { createVault } from './vault.ts';

/** The ports of those who make, change and read templates. */
export const createTemplatePorts = (clock?: Clock, onClient?: OnClient): TemplatePorts => {
  const ports = createPorts(clock, onClient);
  const parts = {
    templates: createTemplates(createDocumentClient(onClient), environment('TEMPLATES_TABLE'), ports.clock),
    vault: createVault(environment(DEPLOYMENT_VARIABLE)),
    earnedPerMinute: Number(optionalEnvironment('EARNED_PER_MINUTE') ?? 0),
    newTemplateId: () => templateId(randomBytes(32)),
  };
  return Object.assign(ports, parts);
};
