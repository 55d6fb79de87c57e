/** Form of an endpoint id, which is a path segment, a partition key and part of resource names. */
export const ENDPOINT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns whether the string has the form of an endpoint id. */
export const isEndpointId = (id: string): boolean => ENDPOINT_ID.test(id);
