// Styling for pages that the platform serves without the console: colors, fonts and logo. The style and the logo are
// inline, since these pages cannot load anything.

/** Colors as in the console (packages/console/src/app/theme.ts): light first, then dark. */
export const PAGE_STYLES = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f8f8, #101515);
  --surface: light-dark(#ffffff, #171d1d);
  --surface-raised: light-dark(#f1f4f4, #1f2727);
  --line: light-dark(#dfe5e5, #2a3434);
  --line-strong: light-dark(#c3cdcd, #415050);
  --ink: light-dark(#172020, #e8eeee);
  --ink-soft: light-dark(#4f5d5d, #a9b8b8);
  --filled: light-dark(#0f6f68, #138078);
  --filled-hover: light-dark(#0d5954, #0f6f68);
  --link: light-dark(#0f6f68, #3fc0b0);
}
body { margin: 0; background: var(--page); color: var(--ink); font: 0.875rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 650; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace; font-size: 0.8125rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;

/** Product logo. The text next to it names the product. */
export const LOGO =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f766e"/>' +
  '<path d="M16 6.5 24 10v6.2c0 4.7-3.2 8-8 9.8-4.8-1.8-8-5.1-8-9.8V10z" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>' +
  '<path d="m12.3 16 2.7 2.7 5-5.2" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';
