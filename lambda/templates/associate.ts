import { Logger } from '@aws-lambda-powertools/logger';
import { createDeclaredPorts } from '../../aws/templates/ports.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { driftPhrase, driftRecordOf } from '../../core/templates/drift.ts';
import type { Drift } from '../../core/templates/template.ts';
import { customResource } from '../custom-resource.ts';
import { templateRequestFrom } from './template-request.ts';

const ports = createDeclaredPorts();

/**
 * The id of the resource contains the template, so that CloudFormation dissociates the old template after a
 * successful update.
 */
const idOf = (endpoint: string, template = '') => `${endpoint}/${template}`;

const logger = new Logger();

/** Returns the attribute `takenBack` without values, which can be secret. It contains the time, so that it changes. */
function takenBackText(template: string, takenBack: readonly Drift[]): string {
  const fields = driftRecordOf(takenBack).map(driftPhrase);
  if (fields.length > 0) logger.warn('The deployment takes back changes of clients.', { template, fields });
  return `${new Date().toISOString()}: ${fields.join('; ') || 'nothing'}`;
}

/**
 * The custom resource that associates an endpoint with a template. Its attribute `template` is the
 * template's id, and `takenBack` names the changes of clients that the deployment has overwritten.
 */
export const handler = customResource(
  async (event) => {
    if (event.RequestType !== 'Delete') {
      const { template, takenBack } = await associate(ports, templateRequestFrom(event));
      return { template, takenBack: takenBackText(template, takenBack) };
    }
    const [endpoint = '', template] = event.PhysicalResourceId.split('/');
    // A resource whose creation failed has no template in its id.
    if (template) await dissociate(ports, endpoint, template);
    return undefined;
  },
  (event, { template } = {}) => {
    if (template !== undefined) return idOf(String(event.ResourceProperties.endpoint), String(template));
    return 'PhysicalResourceId' in event ? event.PhysicalResourceId : idOf(String(event.ResourceProperties.endpoint));
  },
);
