/** VitePress's own theme with the fonts of the system. */
import { onContentUpdated, type Theme, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { watch } from 'vue';
import './style.css';

/** Lets pictures follow the theme of the page. By itself, `<picture>` follows the theme of the operating system. */
function showPicturesFor(isDark: boolean): void {
  for (const source of document.querySelectorAll<HTMLSourceElement>('picture source')) {
    source.dataset.scheme ??= source.media;
    source.media = source.dataset.scheme.includes('dark') === isDark ? 'all' : 'not all';
  }
}

export default {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    onContentUpdated(() => showPicturesFor(isDark.value));
    watch(isDark, showPicturesFor);
  },
} satisfies Theme;
