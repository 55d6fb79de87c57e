/** Compresses the built text files, and lists the content type and caching of every file. */
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

export interface BuiltFile {
  /** Path below `/console/`. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** @default - the file is not compressed */
  readonly encoding?: 'br';
}

/** An entry of Vite's manifest, whose keys are source files. */
export interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  /** Sources of the chunks that this chunk loads immediately. */
  readonly imports?: readonly string[];
  /** Sources of the chunks that this chunk can load later. */
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

/** Content of `files.json`. */
export interface Built {
  /** Hash of the sources. */
  readonly sources: string;
  readonly chunks: Readonly<Record<string, Chunk>>;
  readonly files: readonly BuiltFile[];
}

/** Name of the list that is stored beside the files. */
export const LIST = 'files.json';

const MANIFEST = '.vite/manifest.json';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

const binaryTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** @returns whether the file name contains a hash of the content */
const isHashed = (path: string) => path.startsWith('assets/');

const YEAR = 31_536_000;
const FOREVER = `public, max-age=${YEAR}, immutable`;
/** A browser may cache the file, but must revalidate it before each use. */
const ASKED = 'no-cache';

const compress = promisify(brotliCompress);

async function compressed(content: Buffer): Promise<Buffer> {
  return compress(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

async function writeFile(path: string, from: string, to: string): Promise<BuiltFile> {
  const extension = extname(path);
  const text = types[extension];
  const contentType = text ?? binaryTypes[extension];
  if (contentType === undefined) throw new Error(`The build has ${path}, whose type is not listed in build/files.ts.`);
  const content = readFileSync(join(from, path));
  mkdirSync(dirname(join(to, path)), { recursive: true });
  writeFileSync(join(to, path), text === undefined ? content : await compressed(content));
  const cacheControl = isHashed(path) ? FOREVER : ASKED;
  return { path, contentType, cacheControl, ...(text !== undefined && { encoding: 'br' as const }) };
}

/**
 * Writes the files of a build and a list of them into `to`. Text files are compressed with Brotli 11.
 * @throws Error for a file whose type is not in `types` or `binaryTypes`
 */
export async function writeFiles(from: string, to: string, sources: string): Promise<void> {
  const chunks = JSON.parse(readFileSync(join(from, MANIFEST), 'utf8')) as Built['chunks'];
  const paths = globSync('{*,assets/**/*}', { cwd: from }).filter((path) => statSync(join(from, path)).isFile());
  const files = await Promise.all(paths.sort().map((path) => writeFile(path, from, to)));
  const built: Built = { sources, chunks, files };
  writeFileSync(join(to, LIST), JSON.stringify(built));
}
