import { managementDocument } from '../../core/openapi/document.ts';
import { http } from '../http.ts';

const text = JSON.stringify(managementDocument());

/** GET /openapi.json of the management interface */
export const handler = http(() => Promise.resolve(text));
