/** Declares style sheets as modules, because Vite bundles them. */
declare module '*.css';
