import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { DEPLOYMENT_VARIABLE } from '../core/deployment.ts';
import { templateId } from '../core/templates/id.ts';
import type { TemplateWorld } from '../core/templates/world.ts';
import { createDocumentClient, type OnClient } from './clients.ts';
import { environment, optionalEnvironment } from './environment.ts';
import { createTemplates } from './templates.ts';
import { createVault } from './vault.ts';
import { createWorld } from './world.ts';

/** The world of those who make, change and read templates. */
export const createTemplateWorld = (clock?: Clock, onClient?: OnClient): TemplateWorld => {
  const world = createWorld(clock, onClient);
  const parts = {
    templates: createTemplates(createDocumentClient(onClient), environment('TEMPLATES_TABLE'), world.clock),
    vault: createVault(environment(DEPLOYMENT_VARIABLE)),
    earnedPerMinute: Number(optionalEnvironment('EARNED_PER_MINUTE') ?? 0),
    newTemplateId: () => templateId(randomBytes(32)),
  };
  return Object.assign(world, parts);
};
