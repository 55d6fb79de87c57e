/**
 * `npx node bin/base-images.ts`: pins the base images of every Dockerfile by digest.
 *
 * Reads the current digest of each exact tag in a `FROM` from the registry with `docker buildx imagetools inspect`,
 * and writes it after the tag: `FROM node:24.21.0-bookworm-slim@sha256:…`. The digest is that of the multi-platform
 * index. `.github/workflows/base-images.yml` runs this command every week and proposes the changes.
 *
 * Fails, and changes no file, if a tag is not exact or the registry does not answer.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { digestOf } from './image-digest.ts';

/** `FROM [--platform=<platform>] <name>:<tag>[@<digest>] [AS <stage>]`. Dockerfiles ignore the case of keywords. */
const FROM = /^(FROM[ \t]+(?:--\S+[ \t]+)*)(\S+?)(?:@sha256:[0-9a-f]{64})?(?=\s|$)([ \t]+AS[ \t]+(\S+))?/gim;
/** A tag with at least three numbers. `24-slim` is not exact: it moves to each new release of Node.js. */
const EXACT = /:\d+\.\d+\.\d[\w.-]*$/;

const digests = new Map<string, string>();

function readDigestOnce(image: string): string {
  const digest = digests.get(image) ?? digestOf(image);
  digests.set(image, digest);
  return digest;
}

function pin(file: string, text: string): string {
  // These names are not in a registry: `scratch` is empty, and the others are stages of the same file.
  const withoutDigest = new Set(['scratch']);
  return text.replace(FROM, (line, from: string, image: string, as = '', stage = '') => {
    const needsNone = withoutDigest.has(image.toLowerCase());
    withoutDigest.add(stage.toLowerCase());
    if (needsNone) return line;
    if (!EXACT.test(image))
      throw new Error(`${file}: ${image} must have an exact tag, such as node:24.21.0-bookworm-slim`);
    return `${from}${image}@${readDigestOnce(image)}${as}`;
  });
}

const files = globSync('**/Dockerfile', { exclude: ['**/node_modules/**', '**/cdk.out/**'] });
const pinned = files.map((file) => {
  const text = readFileSync(file, 'utf8');
  return { file, text, wanted: pin(file, text) };
});
for (const { file, text, wanted } of pinned) if (wanted !== text) writeFileSync(file, wanted);
for (const [image, digest] of digests) console.log(`${image}@${digest}`);
