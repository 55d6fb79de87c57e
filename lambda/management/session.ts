import { http } from '../http.ts';

/** GET /session: the session comes from the authorizer. */
export const handler = http(async ({ session }) => session);
