/** Bundles the code that cleans the HTML of readmes as a script that a page of the console can import. */
import { buildSync } from 'esbuild';

const ENTRY = `
  import { clean } from './packages/console/readme/clean.ts';
  const place = document.createElement('div');
  document.body.append(place);
  /** Shows each text like the HTML of a readme. Returns the content that a readme must not have. */
  export async function show(texts) {
    const strange = [];
    for (const html of texts) {
      place.replaceChildren(clean(html));
      // Handlers of elements that fail to load run later.
      await new Promise((resolve) => setTimeout(resolve, 0));
      for (const element of place.querySelectorAll('*')) {
        const { localName, attributes } = element;
        if (!/^(h[1-6]|p|br|hr|blockquote|pre|ul|ol|li|table|thead|tbody|tr|th|td|a|img|code|em|strong|s)$/.test(localName))
          strange.push(localName);
        for (const { name } of attributes)
          if (!/^(href|src|alt|title|start|align|target|rel)$/.test(name)) strange.push(localName + ' ' + name);
        if (localName === 'a' && !/^(https?:\\/\\/|mailto:)/i.test(element.getAttribute('href')))
          strange.push('a ' + element.getAttribute('href'));
        if (localName === 'img' && !/^data:image\\/(png|jpeg|gif|webp);/i.test(element.getAttribute('src')))
          strange.push('img ' + element.getAttribute('src'));
      }
    }
    return strange;
  }
`;

/** @returns an ES module with a function `show` */
export function cleanScript(): string {
  const { outputFiles } = buildSync({
    stdin: { contents: ENTRY, resolveDir: process.cwd(), loader: 'js' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return String(outputFiles[0]?.text);
}
