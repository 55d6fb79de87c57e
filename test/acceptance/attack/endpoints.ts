/** The endpoints of the attack. */

/** Endpoints that the attacker's keys may call. The last one has `streamEnvelope`. */
export const OWN = ['own-0', 'own-1', 'own-2', 'own-3'] as const;
/** The endpoint among them whose template belongs to the attacker, and can be rolled back to revision 1. */
export const ROLLED_BACK = OWN[1];
/** The endpoint with a hostile worker. The attacker's keys may call it. */
export const ECHO = 'echo';
/** The endpoint whose jobs contain the marker. The attacker's keys may not call it. */
export const VICTIM = 'victim';
/** An endpoint without jobs. The attacker's keys may not call it. */
export const QUIET = 'quiet';

/**
 * A string in the victim's inputs, outputs, chunks, errors, logs and templates. No response to the attacker may
 * contain it.
 */
export const MARKER = 'marker-5b1d0e77c4';
