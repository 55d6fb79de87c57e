import { createDeclaredPorts } from '../../aws/templates/ports.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { customResource } from '../custom-resource.ts';
import { attributesOf } from './associated.ts';
import { templateRequestFrom } from './template-request.ts';

const ports = createDeclaredPorts();

/**
 * The id of the resource contains the template, so that CloudFormation dissociates the old template after a
 * successful update.
 */
const idOf = (endpoint: string, template = '') => `${endpoint}/${template}`;

/** The custom resource that associates an endpoint with a template. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType !== 'Delete') return attributesOf(await associate(ports, templateRequestFrom(event)));
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
