/** Debian's Chromium, for tests and for the pictures of the documentation. */
import { type Browser, chromium } from 'playwright-core';

export const CHROMIUM = '/usr/bin/chromium';

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: flags });

/** Reports violations of the policy that no console shows. It runs before the scripts of the page, which it does not touch. */
export const REPORT = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('Policy: ' + event.violatedDirective + ' refused ' + (event.blockedURI || event.sourceFile)));`;
