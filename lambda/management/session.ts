import { http } from '../http.ts';

/** GET /session: returns the session that the authorizer has passed on. */
export const handler = http(async ({ session }) => session);
