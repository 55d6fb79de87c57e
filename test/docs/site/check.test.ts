/** Tests the check of the documentation site on a small site. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkSite } from '../../../docs/.vitepress/check/site.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Checks a site with a start page, a guide with a heading, a picture, and these files. */
function check(files: Readonly<Record<string, string>>, base = '/') {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  folders.push(folder);
  const site = {
    'index.html': '<h1 id="start">Start</h1>',
    'guides/calling.html': '<h2 id="what-is-a-job">What is a job?</h2>',
    'assets/job.png': '',
    ...files,
  };
  for (const [path, content] of Object.entries(site)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return checkSite(folder, base);
}

const failuresOf = (html: string) => check({ 'page.html': html }).failures;

describe('the check of the site', () => {
  it('counts pages, links and anchors, and finds nothing wrong with references that exist', () => {
    const html = `<a href="/"></a> <a href="./guides/calling.html#what-is-a-job"></a> <b id="here"><a href="#here"></a></b>
      <picture><source srcset="/assets/job.png 1x, /assets/job.png 2x"><img alt="a > b" src="assets/job.png"></picture>
      <a href="https://example.com/missing"></a> <a href="mailto:team@example.com"></a> <img src="data:image/png;base64,">`;
    expect(check({ 'page.html': html })).toEqual({ pages: 3, links: 6, anchors: 2, failures: [] });
  });

  it('reports a link to a missing page, with the page that contains it', () => {
    expect(failuresOf('<a href="/guides/missing.html">')).toEqual([
      'page.html: a href="/guides/missing.html" is no file of the site',
    ]);
  });

  it('reports a link to a folder without a first page', () => {
    expect(failuresOf('<a href="/guides/"></a><a href="/guides"></a>')).toEqual([
      'page.html: a href="/guides/" is no file of the site',
      'page.html: a href="/guides" is no file of the site',
    ]);
  });

  it('reports a link to a missing heading of another page and of the same page', () => {
    expect(failuresOf('<a href="guides/calling.html#who"></a><a href="#nowhere"></a>')).toEqual([
      'page.html: a href="guides/calling.html#who" names no heading of guides/calling.html',
      'page.html: a href="#nowhere" names no heading of page.html',
    ]);
  });

  it('reports a missing picture in each attribute that can name it', () => {
    expect(failuresOf('<source srcset="/assets/job.png, dark.png 2x"><img src="/assets/missing.png">')).toEqual([
      'page.html: source srcset="dark.png" is no file of the site',
      'page.html: img src="/assets/missing.png" is no file of the site',
    ]);
  });

  it('reports scripts, pictures and style sheets that another site would serve', () => {
    const html =
      '<script src="https://cdn.example.com/a.js"></script><link rel="stylesheet" href="//example.com/a.css">';
    const { failures } = check({
      'page.html': html,
      'style.css': '@import "https://example.com/b.css"; a { background: url(https://example.com/c.png) url(d.png) }',
    });
    expect(failures).toEqual([
      'page.html: script src="https://cdn.example.com/a.js" is requested from another site',
      'page.html: link href="//example.com/a.css" is requested from another site',
      'style.css: https://example.com/b.css is requested from another site',
      'style.css: https://example.com/c.png is requested from another site',
    ]);
  });

  it('reports a link that leaves the path of the site on its host', () => {
    const { failures, links } = check(
      { 'guides/page.html': '<a href="/"></a> <a href="/docs/"></a> <a href="../"></a>' },
      '/docs/',
    );
    expect(failures).toEqual(['guides/page.html: a href="/" is no file of the site']);
    expect(links).toBe(3);
  });

  it('ignores code, comments and scripts that contain tags', () => {
    const tag = '<a href="x">';
    expect(failuresOf(`<code>&lt;a href="x"&gt;</code><!-- ${tag} --><script type="module">'${tag}'</script>`)).toEqual(
      [],
    );
  });
});
