/** The pages of the issuer: the choice of a role, and errors. */
import { createHash } from 'node:crypto';
import type { Answer } from '../network/address.ts';

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const style = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem }
button, input { font: inherit; padding: .5rem .75rem }
button { display: block; width: 100%; margin: .75rem 0; text-align: left; cursor: pointer }
small { display: block }`;

/**
 * Headers of the page: it loads and runs nothing, cannot be framed, and sends no Referer, which could contain the
 * code.
 */
const headers: Answer['headers'] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  [
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  ],
];

const pageOf = (status: number, title: string, content: string): Answer => ({
  status,
  headers,
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${style}</style>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
`,
});

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escaped(value)}">`;

/**
 * Returns the page with the roles.
 * @param query of the request, which the form sends back with the choice
 */
export function rolesPage(
  query: string,
  groups: readonly { readonly GroupName: string; readonly Description: string }[],
) {
  const buttons = groups.map(
    ({ GroupName: name, Description: text }) =>
      `<button name="group" value="${escaped(name)}">${escaped(name)}<small>${escaped(text)}</small></button>`,
  );
  return pageOf(
    200,
    'Sign in',
    `<p>This page replaces Cognito's on this machine. Choose a role:</p>
<form method="post" action="/cognito/oauth2/authorize">
${hidden('query', query)}
${buttons.join('\n')}
</form>`,
  );
}

/** Returns the page that asks for the code if the browser has not opened the link. */
export const codePage = (query: string, status = 403): Answer =>
  pageOf(
    status,
    'Open the link of the service',
    `<p>${status === 403 ? 'This browser has not opened' : 'This code does not match'} the link that the service has printed in its terminal. Open that link, or enter its code here.</p>
<form method="post" action="/cognito/open">
${hidden('query', query)}
<label>Code <input name="code" autocomplete="off" required></label>
<button>Continue</button>
</form>`,
  );

export const refusalPage = (sentence: string, status = 400): Answer =>
  pageOf(status, 'Sign-in is not possible', `<p>${escaped(sentence)}</p>`);
