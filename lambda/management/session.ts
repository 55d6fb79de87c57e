import { http } from '../http.ts';

/** GET /session: the authorizer has found out who calls. */
export const handler = http(async ({ session }) => session);
