import { jobsDocument } from '../../core/openapi/document.ts';
import { http } from '../http.ts';

const text = JSON.stringify(jobsDocument());

/** GET /openapi.json of the job interface */
export const handler = http(() => Promise.resolve(text));
