/** Acts as a user without a mouse: moves from control to control with Tab, and checks that the focus is visible. */
import type { Locator, Page } from 'playwright-core';

export interface Keyboard {
  /**
   * Presses the key until the control has the focus.
   * @param key Shift+Tab moves backwards
   * @throws Error if the control does not get the focus
   */
  to(control: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Moves to the control as `to` does, and presses Enter. */
  enter(control: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Replaces the text of the focused field. */
  write(text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Problems of the stops so far, one sentence each. */
  problems(): readonly string[];
  /** Number of times that the focus has moved. */
  stops(): number;
}

/** Maximum number of stops, more than any page has. */
const MAX_STOPS = 150;

/**
 * Defines `atStop(key)`, which compares the focused element with the previously focused element. Only the focused
 * element has a focus ring. The control around a native input or editor can draw the ring, so neighbouring elements
 * are included.
 */
const SCRIPT = `{
  let last;
  const focused = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element === document.body || element === null ? undefined : element;
  };
  const around = (element) => [element, element.parentElement, element.parentElement?.parentElement,
    element.previousElementSibling, element.nextElementSibling, element.getRootNode().host].filter(Boolean);
  const looks = (element) => around(element).flatMap((one) => ['', '::before', '::after'].map((part) => {
    const style = getComputedStyle(one, part || null);
    const has = (kind) => style[kind + 'Style'] !== 'none' && parseFloat(style[kind + 'Width']) >= 1 &&
      !/^rgba\\(.*, 0\\)$|^transparent$/.test(style[kind + 'Color']);
    const isDrawn = part === '' || style.content !== 'none';
    return !isDrawn ? '' : [has('outline') && style.outline, style.boxShadow !== 'none' && style.boxShadow,
      has('borderTop') && style.borderTop].filter(Boolean).join(' ');
  }));
  const nameOf = (element) => element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ??
    element.labels?.[0]?.innerText ?? element.innerText ?? '').trim().slice(0, 60) + '"';
  const isSeen = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
    if (right <= left || bottom <= top || x <= 0 || y <= 0 || x >= innerWidth || y >= innerHeight) return false;
    const upper = element.getRootNode().elementFromPoint(x, y);
    return upper !== null && around(element).some((one) => one.contains(upper) || upper.contains(one));
  };
  const placeOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, right, top: top + scrollY, bottom: bottom + scrollY };
  };
  /** Whether the first element is above the second, or left of it on the same line. Columns to the right can begin above. */
  const isBefore = (next, before) =>
    (next.bottom <= before.top + 1 && next.left < before.right) ||
    (next.top < before.bottom && next.bottom > before.top && next.right <= before.left + 1);
  const isSeenWithRing = (element) => isSeen(element) && looks(element).some((look) => look !== '');
  globalThis.atStop = async (key) => {
    const problems = [];
    const element = focused();
    // Some rings are drawn a few frames later, such as the ring of an editor.
    for (let frames = 0; element && frames < 30 && !isSeenWithRing(element); frames += 1)
      await new Promise(requestAnimationFrame);
    if (last?.element.isConnected && last.element !== element && looks(last.element).join() === last.looks)
      problems.push('looks the same without the focus: ' + last.name);
    if (!element) { last = undefined; return problems; }
    const stop = { element, looks: looks(element).join(), name: nameOf(element), place: placeOf(element) };
    if (!isSeen(element)) problems.push('is not visible: ' + stop.name);
    if (looks(element).every((look) => look === '')) problems.push('has no ring: ' + stop.name);
    if (last && key === 'Tab' && isBefore(stop.place, last.place)) problems.push(stop.name + ' comes after ' + last.name);
    last = stop;
    return problems;
  };
  globalThis.startAgain = () => { last = undefined; };
}`;

/** Call this function before the page is loaded. */
export async function keyboardOf(page: Page): Promise<Keyboard> {
  const problems = new Set<string>();
  let stops = 0;
  await page.addInitScript(SCRIPT);

  async function to(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await control.waitFor();
    const focused = control.and(page.locator(':focus'));
    for (let n = 0; n < MAX_STOPS; n += 1) {
      await page.keyboard.press(key);
      stops += 1;
      for (const problem of await page.evaluate<string[]>(`atStop('${key}')`)) problems.add(problem);
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`${control} does not have the focus after ${MAX_STOPS} presses of ${key}.`);
  }

  async function press(key: string): Promise<void> {
    await page.evaluate('startAgain()');
    await page.keyboard.press(key);
  }

  return {
    to,
    press,
    async enter(control, key) {
      await to(control, key);
      await press('Enter');
    },
    async write(text) {
      await press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    },
    problems: () => [...problems],
    stops: () => stops,
  };
}
