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
  readonly links: readonly SavedLink[];
}

/** A page with its filters under a name of the user. */
export interface SavedLink {
  readonly name: string;
  /** Relative to `/console`. */
  readonly address: string;
}

/** Maximum number of links, and of characters. */
export const linkLimits = { count: 20, name: 40, address: 2000 } as const;

/** Returns the links with this one, first. Without room, the oldest is dropped. */
export const withLink = (links: readonly SavedLink[], link: SavedLink): SavedLink[] =>
  [link, ...withoutLink(links, link.name)].slice(0, linkLimits.count);

export const withoutLink = (links: readonly SavedLink[], name: string): SavedLink[] =>
  links.filter((link) => link.name !== name);

function linkFrom(value: unknown): SavedLink[] {
  const { name, address } = Object(value) as Readonly<Record<string, unknown>>;
  const isText = (text: unknown, max: number): text is string =>
    typeof text === 'string' && text !== '' && text.length <= max;
  // One page of the console, also if something else has written into the storage.
  return isText(name, linkLimits.name) && isText(address, linkLimits.address) && /^\/(?![/\\])/.test(address)
    ? [{ name, address }]
    : [];
}

export const defaults: Preferences = {
  theme: 'system',
  density: 'comfortable',
  zone: 'local',
  shortcuts: true,
  links: [],
};

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
  const { theme, density, zone, shortcuts, links } = membersOf(text ?? '{}');
  return {
    theme: oneOf(themes, theme, defaults.theme),
    density: oneOf(densities, density, defaults.density),
    zone: oneOf(zones, zone, defaults.zone),
    shortcuts: typeof shortcuts === 'boolean' ? shortcuts : defaults.shortcuts,
    links: Array.isArray(links) ? links.flatMap(linkFrom).slice(0, linkLimits.count) : defaults.links,
  };
}
