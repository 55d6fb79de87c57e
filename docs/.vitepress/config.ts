/**
 * The documentation site: the Markdown files of this repository, as they are on GitHub. `npx vitepress build docs` writes it
 * to `dist/docs/`. ADR 0023 has the reasons.
 */
import { cpSync, globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchor.ts';
import { publishedAt } from './links.ts';
import { highlightWithoutTimeLimit, readLikeGitHub } from './markdown.ts';
import { navigation, sidebar } from './navigation.ts';
import { addressOf, others } from './pages.ts';
import { boostDocument } from './search.ts';
import { extendStartPage, startPage } from './start-page.ts';

const { name, description } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'name' | 'description',
  string
>;

/** Address of the repository on GitHub. Without it, files that only the repository contains are names without a link. */
const repository = process.env.DOCS_REPOSITORY;

const groups = sidebar();

export default defineConfig({
  lang: 'en',
  title: name,
  description,
  // Pages of a project on GitHub have the project's name in their path.
  base: process.env.DOCS_BASE ?? '/',
  srcDir: '..',
  srcExclude: others,
  rewrites: addressOf,
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  // Several pages at a time enter the index of the search in random order.
  buildConcurrency: 1,
  // Browsers would otherwise request an icon that does not exist.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // The default theme has too little contrast for WCAG's level AA.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify: anchorOf },
    // GitHub has no syntax for attributes: braces are text.
    attrs: { disable: true },
    codeTransformers: [highlightWithoutTimeLimit],
    config(markdown) {
      readLikeGitHub(markdown, repository);
      extendStartPage(markdown);
    },
  },
  themeConfig: {
    nav: [...navigation(groups), ...(repository ? [{ text: 'Repository', link: repository }] : [])],
    sidebar: groups,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    ...(repository && { editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' } }),
  },
  transformPageData({ relativePath }) {
    if (relativePath !== 'index.md') return;
    return { title: name, titleTemplate: description, frontmatter: startPage(name, description, groups) };
  },
  vite: {
    // The index of the search is larger than Vite's limit. Browsers load it with the first search.
    build: { chunkSizeWarningLimit: 2_000 },
    server: { watch: { ignored: ['**/{.local,cdk.out,coverage,dist}/**'] } },
  },
  buildEnd({ outDir }) {
    for (const file of globSync('docs/**/*.json', { exclude: ['docs/.vitepress/**'] }))
      cpSync(file, `${outDir}${publishedAt(file)}`);
  },
});
