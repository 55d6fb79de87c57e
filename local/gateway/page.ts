/** The page at `/`, which lists the running services. */

export interface PageContent {
  readonly title: string;
  readonly addresses: readonly { readonly name: string; readonly url: string }[];
  readonly services: readonly string[];
  /** Commands to try, without the secret of the key. */
  readonly commands: readonly string[];
  /**
   * Path of the console.
   * @default - no console
   */
  readonly console?: string | undefined;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const items = (texts: readonly string[]) => texts.map((text) => `<li><code>${escaped(text)}</code></li>`).join('\n');

export const page = ({ title, addresses, services, commands, console: path }: PageContent): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 3rem auto; padding: 0 1rem } pre { overflow-x: auto }</style>
<h1>${escaped(title)}</h1>
${path === undefined ? '' : `<p><a href="${escaped(path)}">Open the console</a></p>`}
<h2>Base addresses</h2>
<ul>
${items(addresses.map(({ name, url }) => `${url}  ${name}`))}
</ul>
<h2>Services with workers</h2>
<ul>
${items(services)}
</ul>
<h2>Try it</h2>
<pre>${escaped(commands.join('\n'))}</pre>
`;
