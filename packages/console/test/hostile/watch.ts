/** Records the effects of hostile text in a page: scripts that ran, requests, and policy violations. */
import type { Page, Request } from 'playwright-core';

export interface Achieved {
  /** Scripts that ran. Scripts in the texts open a dialog or write to the list `ran`. */
  readonly ran: readonly string[];
  /** Requests that the console itself does not send, with their type. */
  readonly requests: readonly string[];
  /** Violations of the content security policy, Trusted Types included. */
  readonly reports: readonly string[];
}

export interface HostileWatch {
  /**
   * Opens a page of the console.
   * @param path below the origin
   */
  open(path: string): Promise<void>;
  achieved(): Promise<Achieved>;
}

/** Script that runs before the scripts of each document, including frames. */
const RECORD = `
  globalThis.ran = [];
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
    globalThis[name] = (...given) => void top.ran.push(name + ' ' + given.join(' '));
`;

/** Paths that the console's own scripts request, by the type of the request. */
const own: Readonly<Record<string, RegExp>> = {
  fetch: /^\/(v1|v2|cognito)\/|^\/console\/config\.json$/,
  xhr: /^\/cognito\//,
  script: /^\/console\/assets\//,
  stylesheet: /^\/console\/assets\//,
  font: /^\/console\/assets\//,
};

/** Schemes of addresses whose bytes the page already has. */
const WITHIN = /^(data|blob):/;

/**
 * Watches a page whose user is signed in.
 * @param origin of the service
 */
export async function watchHostile(page: Page, origin: string): Promise<HostileWatch> {
  const requests: string[] = [];
  const reports: string[] = [];
  const ran: string[] = [];
  const opened = new Set<string>();

  const isOwn = (request: Request): boolean => {
    const url = request.url();
    if (WITHIN.test(url)) return true;
    const { origin: its, pathname } = new URL(url);
    if (its !== origin) return false;
    return request.isNavigationRequest() ? opened.has(pathname) : own[request.resourceType()]?.test(pathname) === true;
  };
  page.on('request', (request) => {
    if (!isOwn(request)) requests.push(`${request.resourceType()} ${request.url()}`);
  });
  page.on('console', (message) => {
    const text = message.text();
    if (/^Policy:|Content Security Policy|Trusted ?(Types|HTML|Script)/i.test(text)) reports.push(text);
  });
  page.on('popup', (popup) => ran.push(`popup ${popup.url()}`));
  await page.addInitScript(RECORD);

  return {
    async open(path) {
      // A new document discards the list of the previous document.
      ran.push(...((await page.evaluate<string[] | undefined>('globalThis.ran')) ?? []));
      opened.add(new URL(path, origin).pathname);
      await page.goto(`${origin}${path}`);
    },
    async achieved() {
      return { ran: [...ran, ...(await page.evaluate<string[]>('globalThis.ran'))], requests, reports };
    },
  };
}
