/** What keeps the local service from starting or running, in one sentence for whoever started it. */
export class LocalError extends Error {}
