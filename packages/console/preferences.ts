/** Preferences of a user in this browser, such as the theme and the time zone. */

const themes = ['system', 'light', 'dark'] as const;
const densities = ['comfortable', 'compact'] as const;
const zones = ['local', 'utc'] as const;

export type Theme = (typeof themes)[number];
export type Density = (typeof densities)[number];
export type Zone = (typeof zones)[number];

export interface Preferences {
  /** `system` follows the operating system. */
  readonly theme: Theme;
  readonly density: Density;
  /** Time zone of absolute times. */
  readonly zone: Zone;
  /** Whether single keys are shortcuts. */
  readonly shortcuts: boolean;
}

export const defaults: Preferences = { theme: 'system', density: 'comfortable', zone: 'local', shortcuts: true };

const oneOf = <Value extends string>(values: readonly Value[], value: unknown, otherwise: Value): Value =>
  values.find((known) => known === value) ?? otherwise;

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Reads stored preferences. An unknown value, for example from another version of the console, becomes the default.
 * @param text JSON, or null if nothing is stored
 */
export function parsePreferences(text: string | null): Preferences {
  const { theme, density, zone, shortcuts } = membersOf(text ?? '{}');
  return {
    theme: oneOf(themes, theme, defaults.theme),
    density: oneOf(densities, density, defaults.density),
    zone: oneOf(zones, zone, defaults.zone),
    shortcuts: typeof shortcuts === 'boolean' ? shortcuts : defaults.shortcuts,
  };
}
