/** Starts Debian's Chromium for tests and for the pictures of the documentation. */
import { type Browser, chromium, type Page, type Request } from 'playwright-core';

export const CHROMIUM = '/usr/bin/chromium';

/**
 * Features of Chromium that tests do not use. Chromium applies only the last list of its command line, so the first
 * three lines repeat the list of Playwright for Linux.
 */
const DISABLED_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AimEnabled'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
  // For each window, two pages of the address bar would take longer to load than the console.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  `--disable-features=${DISABLED_FEATURES.join()}`,
];

/** @param more flags in addition to those of all tests */
export const openBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...flags, ...more] });

/**
 * Tracks requests. Call this function before the page is loaded.
 * @returns the page's requests that have no response yet; the set changes with each request
 */
export function trackUnanswered(page: Page): ReadonlySet<Request> {
  const unanswered = new Set<Request>();
  page.on('request', (request) => unanswered.add(request));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => unanswered.delete(request));
  return unanswered;
}

/**
 * Reports policy violations that the browser console does not show. This script runs before the scripts of the
 * page.
 */
export const REPORT = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('Policy: ' + event.violatedDirective + ' refused ' + (event.blockedURI || event.sourceFile)));`;
