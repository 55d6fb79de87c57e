/**
 * Written by `npm run generate` from the definitions of the operations, which are beside this file. Functions and the
 * ingress import only this module, so that their bundles contain no descriptions.
 */
import type { Route } from './route.ts';

/** Routes of the job interface, below `{serverless_url}`. */
export const jobRoutes = {
  "run": {"methods":["POST"],"path":"/{endpoint}/run","limit":{"per10Seconds":1000}},
  "runsync": {"methods":["POST"],"path":"/{endpoint}/runsync","limit":{"per10Seconds":2000,"concurrent":400},"streamed":true},
  "status": {"methods":["GET","POST"],"path":"/{endpoint}/status/{job}","limit":{"per10Seconds":2000},"streamed":true},
  "input": {"methods":["GET"],"path":"/{endpoint}/input/{job}","limit":{"per10Seconds":100},"streamed":true},
  "status-sync": {"methods":["GET","POST"],"path":"/{endpoint}/status-sync/{job}","limit":{"per10Seconds":2000,"concurrent":400},"streamed":true},
  "stream": {"methods":["GET","POST"],"path":"/{endpoint}/stream/{job}","limit":{"per10Seconds":2000,"concurrent":400},"streamed":true},
  "openai": {"methods":["GET","POST","PUT","PATCH","DELETE"],"path":"/{endpoint}/openai/{path+}","limit":{"per10Seconds":2000,"concurrent":400},"streamed":true,"anyHeader":true},
  "logs": {"methods":["GET"],"path":"/{endpoint}/logs/{job}","limit":{"per10Seconds":100}},
  "cancel": {"methods":["POST"],"path":"/{endpoint}/cancel/{job}","limit":{"per10Seconds":100,"exact":true,"concurrent":20}},
  "retry": {"methods":["POST"],"path":"/{endpoint}/retry/{job}","limit":{"per10Seconds":100}},
  "purge-queue": {"methods":["POST"],"path":"/{endpoint}/purge-queue","limit":{"per10Seconds":2,"exact":true}},
  "requests": {"methods":["GET"],"path":"/{endpoint}/requests","limit":{"per10Seconds":10,"exact":true,"concurrent":2}},
  "webhooks": {"methods":["GET"],"path":"/{endpoint}/webhooks","limit":{"per10Seconds":10}},
  "resend": {"methods":["POST"],"path":"/{endpoint}/webhooks/{job}/resend","limit":{"per10Seconds":100}},
  "health": {"methods":["GET"],"path":"/{endpoint}/health","limit":{"per10Seconds":2000}},
} as const satisfies Readonly<Record<string, Route>>;

/** Routes of the management interface, below `{base_url}`. */
export const managementRoutes = {
  "endpoints": {"methods":["GET"],"path":"/endpoints","limit":{"per10Seconds":100}},
  "read-endpoint": {"methods":["GET"],"path":"/endpoints/{endpoint}","limit":{"per10Seconds":100}},
  "create-template": {"methods":["POST"],"path":"/templates","limit":{"per10Seconds":500},"scope":"templates:write"},
  "list-templates": {"methods":["GET"],"path":"/templates","limit":{"per10Seconds":500},"scope":"templates:read"},
  "read-template": {"methods":["GET"],"path":"/templates/{template}","limit":{"per10Seconds":500},"scope":"templates:read"},
  "remove-template": {"methods":["DELETE"],"path":"/templates/{template}","limit":{"per10Seconds":500},"scope":"templates:write"},
  "update-template": {"methods":["POST"],"path":"/templates/{template}/update","limit":{"per10Seconds":500},"scope":"templates:write"},
  "releases": {"methods":["GET"],"path":"/endpoints/{endpoint}/releases","limit":{"per10Seconds":100}},
  "rollback": {"methods":["POST"],"path":"/endpoints/{endpoint}/rollback","limit":{"per10Seconds":10},"scope":"templates:write"},
  "resume": {"methods":["POST"],"path":"/endpoints/{endpoint}/resume","limit":{"per10Seconds":10},"audience":"users"},
  "list-keys": {"methods":["GET"],"path":"/keys","limit":{"per10Seconds":100},"audience":"users"},
  "create-key": {"methods":["POST"],"path":"/keys","limit":{"per10Seconds":100},"audience":"users"},
  "revoke-key": {"methods":["DELETE"],"path":"/keys/{key}","limit":{"per10Seconds":100},"audience":"users"},
  "workers": {"methods":["GET"],"path":"/endpoints/{endpoint}/workers","limit":{"per10Seconds":100}},
  "endpoint-logs": {"methods":["GET"],"path":"/endpoints/{endpoint}/logs","limit":{"per10Seconds":20}},
  "find-job": {"methods":["GET"],"path":"/jobs/{job}","limit":{"per10Seconds":100}},
  "list-jobs": {"methods":["GET"],"path":"/jobs","limit":{"per10Seconds":20}},
  "failures": {"methods":["GET"],"path":"/endpoints/{endpoint}/failures","limit":{"per10Seconds":20}},
  "ended-workers": {"methods":["GET"],"path":"/endpoints/{endpoint}/workers/ended","limit":{"per10Seconds":20}},
  "series": {"methods":["GET"],"path":"/endpoints/{endpoint}/series","limit":{"per10Seconds":40}},
  "costs": {"methods":["GET"],"path":"/costs","limit":{"per10Seconds":20}},
  "metrics": {"methods":["GET"],"path":"/metrics","limit":{"per10Seconds":10}},
  "events": {"methods":["GET"],"path":"/endpoints/{endpoint}/events","limit":{"per10Seconds":20}},
  "list-alarms": {"methods":["GET"],"path":"/alarms","limit":{"per10Seconds":10}},
  "session": {"methods":["GET"],"path":"/session","limit":{"per10Seconds":100},"audience":"all"},
} as const satisfies Readonly<Record<string, Route>>;

/** The lowest role of a user of the console that may call each operation. */
export const minRoles = {
  "run": "operator",
  "runsync": "operator",
  "status": "viewer",
  "input": "viewer",
  "status-sync": "viewer",
  "stream": "viewer",
  "openai": "operator",
  "logs": "viewer",
  "cancel": "operator",
  "retry": "operator",
  "purge-queue": "admin",
  "requests": "viewer",
  "webhooks": "viewer",
  "resend": "operator",
  "health": "viewer",
  "endpoints": "viewer",
  "read-endpoint": "viewer",
  "create-template": "admin",
  "list-templates": "viewer",
  "read-template": "viewer",
  "remove-template": "admin",
  "update-template": "admin",
  "releases": "viewer",
  "rollback": "admin",
  "resume": "operator",
  "list-keys": "admin",
  "create-key": "admin",
  "revoke-key": "admin",
  "workers": "viewer",
  "endpoint-logs": "viewer",
  "find-job": "viewer",
  "list-jobs": "viewer",
  "failures": "viewer",
  "ended-workers": "viewer",
  "series": "viewer",
  "costs": "viewer",
  "metrics": "viewer",
  "events": "viewer",
  "list-alarms": "viewer",
  "session": "viewer",
} as const;

/** Operations whose calls can wait. API Gateway passes them to the ingress, if the deployment has one. */
export const waitingOperations = ["runsync","status-sync","stream","openai"] as const;

/** Bytes from which the distribution sends a body directly to the ingress. */
export const minDirectBytes = {
  "run": 3000000,
  "runsync": 10000000,
  "openai": 10000000,
} as const;

/**
 * Timeouts of the functions of operations whose concurrent calls are counted, in milliseconds. A function that crashes
 * holds its slot for no longer than this.
 */
export const callTimeouts = {
  "cancel": 10000,
  "requests": 28000,
} as const;
