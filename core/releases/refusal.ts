/** What a template says cannot be run by an endpoint; the message is one sentence that says why, without any value of `env`. */
export class ReleaseRefused extends Error {}
