/** Tests that the site reads Markdown like GitHub, with the renderer of VitePress. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createMarkdownRenderer, disposeMdItInstance, type MarkdownRenderer } from 'vitepress';
import { anchorOf } from '../../../docs/.vitepress/anchor.ts';
import { targetOf } from '../../../docs/.vitepress/links.ts';
import { highlightWithoutTimeLimit, readLikeGitHub } from '../../../docs/.vitepress/markdown.ts';
import { withExcerpt } from '../../../docs/.vitepress/start-page.ts';

const REPOSITORY = 'https://github.com/team/gpu-endpoints';

async function rendererFor(repository: string | undefined): Promise<MarkdownRenderer> {
  // VitePress would otherwise return the renderer that it created before.
  disposeMdItInstance();
  return await createMarkdownRenderer('.', {
    anchor: { slugify: anchorOf },
    attrs: { disable: true },
    codeTransformers: [highlightWithoutTimeLimit],
    config: (markdown) => readLikeGitHub(markdown, repository),
  });
}

const rendered = (markdown: MarkdownRenderer, text: string, page = 'docs/guides/calling.md') =>
  markdown.render(text, { path: join(process.cwd(), page) });

describe('a document on the site', () => {
  let markdown: MarkdownRenderer;
  beforeAll(async () => {
    markdown = await rendererFor(undefined);
  });

  it('shows double braces, which Vue does not interpret', () => {
    const html = rendered(markdown, 'The value {{secrets:NAME}} and `{{secrets:NAME}}`');
    expect(html).toMatch(/^<div v-pre><p>The value {{secrets:NAME}} and <code>{{secrets:NAME}}<\/code><\/p>\n<\/div>$/);
  });

  it('shows placeholders in angle brackets, which are no elements', () => {
    expect(rendered(markdown, 'Call /status/<id> and <Name a="b">.')).toContain(
      '<p>Call /status/&lt;id&gt; and &lt;Name a="b"&gt;.</p>',
    );
  });

  it('keeps line breaks and pictures for each theme, with paths that VitePress resolves', () => {
    const picture = '<picture>\n  <source srcset="docs/dark.png">\n  <img alt="A job" src="../light.png">\n</picture>';
    const html = rendered(markdown, `a<br>b\n\n${picture}\n`);
    expect(html).toContain('a<br>b');
    expect(html).toContain('<source srcset="./docs/dark.png">\n  <img alt="A job" src="../light.png">');
  });

  it('shows braces and the codes of emoji as text', () => {
    expect(rendered(markdown, '# GET {id}\n\narn :key: x')).toMatch(/<h1 id="get-id"[^>]*>GET {id} .*:key: x/s);
  });

  it('has the same colors in its code if the machine that renders it stops for seconds', () => {
    const code = '```ts\nconst job: Job = { id: "job-1", tries: 0 }; // waits\n```\n';
    const colored = rendered(markdown, code);
    expect(colored.match(/<span style="--shiki-light/g)?.length).toBeGreaterThan(5);
    let time = 0;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => (time += 1_000));
    try {
      expect(rendered(markdown, code)).toBe(colored);
      expect(clock).toHaveBeenCalled();
    } finally {
      clock.mockRestore();
    }
  });

  it('links to pages, and shows files that only the repository has as text with the path', () => {
    const html = rendered(markdown, '[Errors](../reference/errors.md#responses) [echo](../../worker/main.ts)');
    expect(html).toContain('<a href="/reference/errors.html#responses">Errors</a>');
    expect(html).toContain('<span title="worker/main.ts">echo</span>');
  });

  it('links to files of the repository if its address is known', async () => {
    const html = rendered(
      await rendererFor(REPOSITORY),
      '[echo](../../worker/main.ts) [`packages/emulator/`](../../packages/emulator)',
    );
    expect(html).toContain(`<a href="${REPOSITORY}/blob/HEAD/worker/main.ts"`);
    expect(html).toContain(`<a href="${REPOSITORY}/tree/HEAD/packages/emulator"`);
  });
});

describe('the target of a link', () => {
  it.each([
    ['README.md', 'docs/README.md', '/index.md'],
    ['README.md', 'docs/', '/index.md'],
    ['docs/README.md', '../README.md#try-it', '/readme.md#try-it'],
    ['docs/adr/README.md', '0000-template.md', '/adr/0000-template.md'],
    ['docs/guides/capacity.md', '../../examples/vllm/README.md', '/examples/vllm.md'],
    ['examples/vllm/README.md', '../../docs/guides/secrets.md', '/guides/secrets.md'],
    ['docs/README.md', 'reference/openapi/jobs.json', '/reference/openapi/jobs.json'],
    ['docs/README.md', '#write-workers', '#write-workers'],
    ['docs/README.md', 'https://example.com/a.md', 'https://example.com/a.md'],
    ['docs/README.md', 'guides/missing.md', 'guides/missing.md'],
    ['docs/README.md', '../LICENSE', undefined],
    ['docs/README.md', 'pictures/job.png', undefined],
  ])('in %s, of %s is %s', (page, href, target) => {
    expect(targetOf(page, href, undefined)).toBe(target);
  });
});

describe('the anchor of a heading', () => {
  it.each([
    ['What is a job?', 'what-is-a-job'],
    ['`/run` and `/runsync`: the body', 'run-and-runsync-the-body'],
    ['API_KEY, then  two spaces', 'api_key-then--two-spaces'],
    ['Größe – 10 MB', 'größe--10-mb'],
  ])('of %s is that of GitHub', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});

describe('the start page', () => {
  const readme =
    '# x\n\nText.\n\n![A job](docs/a.svg)\n\n## Try it\n\n```sh\nnpm start\n```\n\nThen:\n\n```sh\ncurl\n```\n\n## More\n';

  it('begins with the picture and the first commands of the README', () => {
    expect(withExcerpt('# Documentation\n\n## Guides\n', readme)).toBe(
      '![A job](a.svg)\n\n## Try it\n\n```sh\nnpm start\n```\n\nThen:\n\n```sh\ncurl\n```\n\n## Guides\n',
    );
  });

  it('fails with the name of the README if it has no such commands', () => {
    expect(() => withExcerpt('# Documentation\n', '# x\n')).toThrow('README.md must contain a picture');
  });
});
