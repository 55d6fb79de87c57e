/** The endpoints of the attack. */

/** Those that the attacker's keys may call. The last one has `streamEnvelope`. */
export const OWN = ['own-0', 'own-1', 'own-2', 'own-3'] as const;
/** The one whose worker is hostile; the attacker's keys may call it. */
export const ECHO = 'echo';
/** Jobs of this one hold the marker. No key of the attacker may call it. */
export const VICTIM = 'victim';
/** This one has no jobs. No key of the attacker may call it. */
export const QUIET = 'quiet';

/** A text in inputs, outputs, chunks, errors, logs and templates of the victim, and in no response to the attacker. */
export const MARKER = 'marker-5b1d0e77c4';
