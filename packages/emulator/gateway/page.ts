/** The page at `/`, which lists the running services. */

export interface PageContent {
  readonly title: string;
  readonly addresses: readonly { readonly name: string; readonly url: string }[];
  /** The ECS services, each with its state. */
  readonly services: { readonly title: string; readonly states: readonly string[] };
  /** Commands to try, without secrets. */
  readonly commands: readonly string[];
  /**
   * A web page to open.
   * @default - none
   */
  readonly site?: { readonly name: string; readonly path: string } | undefined;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const items = (texts: readonly string[]) => texts.map((text) => `<li><code>${escaped(text)}</code></li>`).join('\n');

export const page = ({ title, addresses, services, commands, site }: PageContent): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 3rem auto; padding: 0 1rem } pre { overflow-x: auto }</style>
<h1>${escaped(title)}</h1>
${site ? `<p><a href="${escaped(site.path)}">Open the ${escaped(site.name)}</a></p>` : ''}
<h2>Base addresses</h2>
<ul>
${items(addresses.map(({ name, url }) => `${url}  ${name}`))}
</ul>
${services.states.length > 0 ? `<h2>${escaped(services.title)}</h2>\n<ul>\n${items(services.states)}\n</ul>` : ''}
${commands.length > 0 ? `<h2>Try it</h2>\n<pre>${escaped(commands.join('\n'))}</pre>` : ''}
`;
