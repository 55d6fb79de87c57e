/**
 * Makes the HTML of a readme safe to show: it runs and loads nothing, and cannot imitate the console. The page
 * inserts DOMPurify's nodes directly, so it parses no HTML itself.
 */
import DOMPurify, { type Config } from 'dompurify';

const config: Config & { RETURN_DOM_FRAGMENT: true } = {
  // The elements of Markdown. Other elements, such as forms, are not needed and not safe in a page of the console.
  ALLOWED_TAGS: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'img', 'code', 'em', 'strong', 's', '#text'],
  ],
  ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);/i;
const OUTSIDE_LINK = /^(?:https?:\/\/|mailto:)/i;

/**
 * Makes a link open in another tab. Replaces a link with a relative address by its text, because the address is not
 * relative to this page.
 */
function secureLink(link: Element): void {
  if (!OUTSIDE_LINK.test(link.getAttribute('href') ?? '')) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

/**
 * Replaces a remote image by a link, because loading the image would reveal the reader's IP address to its server.
 * If a link is not possible, text replaces the image.
 */
function linkInstead(image: Element): void {
  const source = image.getAttribute('src') ?? '';
  const text = `Image: ${image.getAttribute('alt') || source || 'without address'}`;
  // A link cannot contain another link.
  if (image.closest('a') || !OUTSIDE_LINK.test(source)) {
    image.replaceWith(text);
    return;
  }
  const link = image.ownerDocument.createElement('a');
  link.textContent = text;
  link.setAttribute('href', source);
  secureLink(link);
  image.replaceWith(link);
}

const purify = DOMPurify();
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') secureLink(node);
  if (node.tagName !== 'IMG') return;
  if (INLINE_IMAGE.test(node.getAttribute('src') ?? '')) node.setAttribute('alt', node.getAttribute('alt') ?? '');
  else linkInstead(node);
});

/** @param html untrusted HTML */
export const clean = (html: string): DocumentFragment => purify.sanitize(html, config);
