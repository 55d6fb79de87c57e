/** Applies the preferred theme and density to the page. */
import { applyDensity, applyMode, Density, Mode } from '@cloudscape-design/global-styles';
import { onPreferences, preferences } from './preference-store.ts';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function put(): void {
  const { theme, density } = preferences();
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
  applyMode(isDark ? Mode.Dark : Mode.Light);
  applyDensity(density === 'compact' ? Density.Compact : Density.Comfortable);
  // Also sets the colours of the browser's scroll bars, date pickers and page background.
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
}

/** Applies the preferences now, and again when they or the theme of the system change. */
export function applyTheme(): void {
  put();
  onPreferences(put);
  systemIsDark.addEventListener('change', put);
}
