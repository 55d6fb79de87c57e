/** Finds what a phone does not show: a page that scrolls sideways, and text that is cut off or outside of the screen. */
import type { Page } from 'playwright-core';

const WIDTH = 390;
const HEIGHT = 844;

/** Pixels of the space at the end of a line, which hangs over the edge. */
const SPACE = 9;

/**
 * Elements that may be wider than a phone: editors, lines of logs, the numbers of charts, which are a matrix in a box of its
 * own, and fields with a list, which has their whole text.
 */
const OWN = '.cm-editor, .json-scroll, .series-table, [aria-haspopup="listbox"]';

const SCRIPT = `(() => {
  const found = [];
  const width = document.scrollingElement.scrollWidth;
  if (width > ${WIDTH}) found.push('The page is ' + width + ' px wide.');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.data.trim() || !parent || parent.closest(${JSON.stringify(OWN)}) || !isShown(parent)) continue;
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    if (rects.length === 0) continue;
    const left = Math.min(...rects.map((rect) => rect.left));
    const right = Math.max(...rects.map((rect) => rect.right));
    let isHidden = false;
    let cutBy;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      const rect = box.getBoundingClientRect();
      // Texts for screen readers only, and the link that is visible with the focus only.
      if ((style.position === 'absolute' || style.position === 'fixed') && (rect.width <= 2 || rect.bottom <= 0)) isHidden = true;
      // Copies that a component measures are on the left of the screen.
      if (right <= 0) isHidden = true;
      if (style.overflowX !== 'visible' && (right > rect.right + ${SPACE} || left < rect.left - 1)) cutBy ??= box;
      // No box around it cuts it off.
      if (style.position === 'fixed') break;
    }
    if (isHidden) continue;
    if (cutBy || left < -1 || right > ${WIDTH} + 1)
      found.push('"' + text.data.trim().slice(0, 60) + '" is cut off' + (cutBy ? ' by ' + cutBy.localName + '.' + String(cutBy.className).slice(0, 60) : '.'));
  }
  return found;
})()`;

/** Shows the page as on a phone, and returns what is cut off. */
export async function cutOn(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  // Components change with the width after the next frame.
  await page.evaluate('new Promise((done) => setTimeout(done, 300))');
  return page.evaluate<string[]>(SCRIPT);
}
