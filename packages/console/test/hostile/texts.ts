/** Texts that try to run a script, load something from elsewhere or imitate other content. */

const RUN = "ran.push('own')";
const ELSEWHERE = 'https://elsewhere.example';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`;
const HTML = `<!doctype html><script>${RUN}</script><img src="${ELSEWHERE}/html.png">`;

/** Texts of one line with at most 191 characters, the limit of names. */
export const lines: readonly string[] = [
  `<script>${RUN}</script>`,
  `<script src="${ELSEWHERE}/a.js"></script>`,
  `<img src=x onerror="${RUN}">`,
  `"><img src=x onerror=${RUN}>`,
  `</script><script>${RUN}</script>`,
  `</title></textarea></style><svg onload="${RUN}">`,
  `javascript:${RUN}`,
  `[a link](javascript:${RUN}) ![](${ELSEWHERE}/markdown.png)`,
  `<a href="javascript:${RUN}">press</a>`,
  `<svg><animate onbegin="${RUN}" attributeName=x></svg>`,
  `data:text/html,<script>${RUN}</script>`,
  `<img src="${ELSEWHERE}/pixel.png">`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<style>@import url(${ELSEWHERE}/a.css);</style>`,
  `<p style="background:url(${ELSEWHERE}/b.png)">text</p>`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}/">`,
  `<form action="${ELSEWHERE}"><button autofocus onfocus="${RUN}">Sign in</button></form>`,
  `<link rel="preload" href="${ELSEWHERE}/c.js" as="script">`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a page might take it for a template
  `{{constructor.constructor('ran.push(1)')()}} ${'${ran.push(1)}'}`,
  'invoice-\u202egpj.exe',
];

/** Texts that names cannot have: invisible characters, long texts, and files that imitate images. */
export const blocks: readonly string[] = [
  `nothing\u0000<script>${RUN}</script>`,
  `\u001b]8;;${ELSEWHERE}\u0007a link\u001b]8;;\u0007\u001b[31m`,
  `\u2028<script>${RUN}</script>\u2029`,
  `data:image/png;base64,${base64(SVG)}`,
  `data:image/png;base64,${base64(HTML)}`,
  `data:image/svg+xml;base64,${base64(SVG)}`,
  base64(`\x89PNG\r\n\x1a\n${HTML}`),
  base64(`GIF89a=1;${RUN};/*${HTML}*/`),
  `${'a'.repeat(20_000)}<script>${RUN}</script>`,
];
