import { account, arn } from '../../account.ts';
import * as definitions from '../../distribution/definitions.ts';
import { describe, shortId } from '../resource.ts';
import { run } from '../resource-type.ts';

/** CloudFront is a global service, so its ARNs have no Region. */
const arnOf = (resource: string) => arn('cloudfront', resource, '');

export const distribution = run(definitions.distribution, (resource, { distributions }) => {
  const id = `E${shortId(resource).toUpperCase()}`;
  const domainName = `d${shortId(resource)}.cloudfront.net`;
  const { properties } = resource;
  distributions.distributions.push({ id, where: describe(resource), properties, domainName });
  return { ref: id, attributes: { Id: id, DomainName: domainName } };
});

export const edgeFunction = run(definitions.edgeFunction, (resource, { distributions, logFile }) => {
  const { properties } = resource;
  const functionArn = arnOf(`function/${properties.Name}`);
  distributions.functions.push({
    id: properties.Name,
    arn: functionArn,
    where: describe(resource),
    properties,
    log: logFile(properties.Name),
  });
  return {
    ref: functionArn,
    attributes: { FunctionARN: functionArn, 'FunctionMetadata.FunctionARN': functionArn, Stage: 'LIVE' },
  };
});

export const vpcOrigin = run(definitions.vpcOrigin, (resource, { distributions }) => {
  const id = `vo_${shortId(resource)}`;
  const { properties } = resource;
  distributions.vpcOrigins.push({ id, where: describe(resource), properties });
  const owner = account.id;
  return { ref: id, attributes: { Id: id, Arn: arnOf(`vpcorigin/${id}`), AccountId: owner, Status: 'Deployed' } };
});

export const originAccessControl = run(definitions.originAccessControl, (resource, { distributions }) => {
  const id = `E${shortId(resource).toUpperCase()}`;
  distributions.accessControls.push({ id, where: describe(resource), properties: resource.properties });
  return { ref: id, attributes: { Id: id } };
});

export const responseHeadersPolicy = run(definitions.responseHeadersPolicy, (resource, { distributions }) => {
  const id = shortId(resource);
  distributions.headersPolicies.push({ id, where: describe(resource), properties: resource.properties });
  return { ref: id, attributes: { Id: id } };
});
