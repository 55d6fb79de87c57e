/** The ports with what the management interface shows beside them. */
import { systemClock } from '../core/clock.ts';
import { createDocumentClient } from './clients.ts';
import { environment } from './environment.ts';
import { createPorts } from './ports.ts';
import { createReleaseHistory } from './release-history.ts';
import { createTemplates } from './templates.ts';

export const createEndpointsPorts = () =>
  Object.assign(createPorts(), {
    templates: createTemplates(createDocumentClient(), environment('TEMPLATES_TABLE'), systemClock),
  });

export const createHistoryPorts = () =>
  Object.assign(createPorts(), {
    history: createReleaseHistory(createDocumentClient(), environment('RELEASES_TABLE'), systemClock),
  });
