import { createDeclaredPorts } from '../../aws/declared-ports.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { customResource } from '../custom-resource.ts';
import { templateRequestFrom } from './template-request.ts';

const ports = createDeclaredPorts();

/** The id of the resource names the template, so that CloudFormation has the one before left when all has gone well. */
const idOf = (endpoint: string, template = '') => `${endpoint}/${template}`;

/** The custom resource of which template an endpoint runs: the attribute `template` is its id. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType !== 'Delete') return { template: await associate(ports, templateRequestFrom(event)) };
    const [endpoint = '', template] = event.PhysicalResourceId.split('/');
    // Nothing, if its creation has failed.
    if (template) await dissociate(ports, endpoint, template);
    return undefined;
  },
  (event, { template } = {}) => {
    if (template !== undefined) return idOf(String(event.ResourceProperties.endpoint), String(template));
    return 'PhysicalResourceId' in event ? event.PhysicalResourceId : idOf(String(event.ResourceProperties.endpoint));
  },
);
