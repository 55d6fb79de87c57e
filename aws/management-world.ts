/** The world with what the management interface shows beside it. */
import { systemClock } from '../core/clock.ts';
import { createDocumentClient } from './clients.ts';
import { environment } from './environment.ts';
import { createReleaseHistory } from './release-history.ts';
import { createTemplates } from './templates.ts';
import { createWorld } from './world.ts';

export const createEndpointsWorld = () =>
  Object.assign(createWorld(), {
    templates: createTemplates(createDocumentClient(), environment('TEMPLATES_TABLE'), systemClock),
  });

export const createHistoryWorld = () =>
  Object.assign(createWorld(), {
    history: createReleaseHistory(createDocumentClient(), environment('RELEASES_TABLE'), systemClock),
  });
