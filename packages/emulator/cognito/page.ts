/** The pages of the issuer: the choice of a role, and errors. */
import { createHash } from 'node:crypto';
import type { Answer } from '../network/address.ts';

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const style = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem }
button, input { font: inherit; padding: .5rem .75rem }
button { display: block; width: 100%; margin: .75rem 0; text-align: left; cursor: pointer }
small { display: block }
code { overflow-wrap: anywhere }
label input { display: block; width: 100%; box-sizing: border-box }`;

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

/**
 * Returns the page that asks for the code if the browser has not opened the link. The page does not contain the code:
 * other users of this machine can read it.
 * @param link the link without its code
 * @param openCommand the command that opens the link
 */
export function codePage(
  query: string,
  { link, openCommand, status = 403 }: { link: string; openCommand?: string | undefined; status?: number },
): Answer {
  const places = [
    `the terminal of the service prints it: <code>${escaped(link)}...</code>`,
    ...(openCommand === undefined ? [] : [`<code>${escaped(openCommand)}</code> opens it in your browser`]),
  ];
  return pageOf(
    status,
    'Sign in with the link of the service',
    `<p>${status === 403 ? 'This browser has not opened the link yet' : 'This is not the link or the code of the service'}. It has a code, so that only you can sign in on this machine:</p>
<ul>
${places.map((place) => `<li>${place}</li>`).join('\n')}
</ul>
<form method="post" action="/cognito/open">
${hidden('query', query)}
<label>Link or code <input name="code" autocomplete="off" autofocus required></label>
<button>Continue</button>
</form>`,
  );
}

export const refusalPage = (sentence: string, status = 400): Answer =>
  pageOf(status, 'Sign-in is not possible', `<p>${escaped(sentence)}</p>`);
