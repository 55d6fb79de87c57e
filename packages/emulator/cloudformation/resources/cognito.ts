/** A user pool becomes an issuer of tokens below `/cognito/` on the port of the distribution. */
import { account, arn } from '../../account.ts';
import type { Cloud } from '../../cloud.ts';
import * as definitions from '../../cognito/definitions.ts';
import { LocalError } from '../../local-error.ts';
import { describe, type Resource, shortId } from '../resource.ts';
import { run } from '../resource-type.ts';

function poolOf(resource: Resource<{ readonly UserPoolId: string }>, { userPools }: Cloud) {
  const { UserPoolId: id } = resource.properties;
  const pool = userPools.get(id);
  if (!pool) throw new LocalError(`${describe(resource)} belongs to the user pool ${id}, which no stack declares.`);
  return pool;
}

export const userPool = run(definitions.userPool, (resource, { userPools, localized }) => {
  const id = `${account.region}_${shortId(resource)}`;
  userPools.set(id, { id, groups: [], clients: [] });
  const host = `cognito-idp.${account.region}.${account.urlSuffix}`;
  return {
    ref: id,
    attributes: {
      UserPoolId: id,
      Arn: arn('cognito-idp', `userpool/${id}`),
      ProviderName: `${host}/${id}`,
      ProviderURL: localized(`https://${host}/${id}`),
    },
  };
});

export const userPoolGroup = run(definitions.group, (resource, cloud) => {
  poolOf(resource, cloud).groups.push(resource.properties);
  return { ref: resource.properties.GroupName };
});

export const userPoolClient = run(definitions.client, (resource, cloud) => {
  const id = shortId(resource);
  const { CallbackURLs, LogoutURLs, ...rest } = resource.properties;
  const callbacks = CallbackURLs.map(cloud.localized);
  const logouts = LogoutURLs.map(cloud.localized);
  poolOf(resource, cloud).clients.push({ ...rest, id, callbacks, logouts });
  return { ref: id, attributes: { ClientId: id } };
});

export const userPoolDomain = run(definitions.domain, (resource, cloud) => {
  poolOf(resource, cloud);
  return { ref: resource.properties.Domain };
});
