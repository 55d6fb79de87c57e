/** Ports of the management functions of endpoints and releases. */
import { systemClock } from '../../core/clock.ts';
import { createDocumentClient } from '../clients.ts';
import { environment } from '../environment.ts';
import { adaptersOf, portsFrom, portsWith } from '../ports.ts';
import { createReleaseHistory } from '../releases/history.ts';
import { createTemplatePorts } from '../templates/ports.ts';
import { createTemplates } from '../templates/templates.ts';

export const createEndpointsPorts = () =>
  portsFrom({
    ...adaptersOf(),
    templates: () => createTemplates(createDocumentClient(), environment('TEMPLATES_TABLE'), systemClock),
  });

export const createHistoryPorts = () =>
  portsFrom({
    ...adaptersOf(),
    history: () => createReleaseHistory(createDocumentClient(), environment('RELEASES_TABLE'), systemClock),
  });

export const createRollbackPorts = () => portsWith(createTemplatePorts(), createHistoryPorts());
