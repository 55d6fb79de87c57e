/** A reason why the local service cannot start or run, as a sentence for the user. */
export class LocalError extends Error {}
