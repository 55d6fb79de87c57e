import { http } from '../http.ts';

/** GET /session: returns the session, which the authorizer has read. */
export const handler = http(async ({ session }) => session);
