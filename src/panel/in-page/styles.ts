/**
 * The styles of the button and the drawer. `!important` on `:host` wins over the page's rules for the element, and `all: initial`
 * stops inheritance from the page.
 */
export const frameStyles = `
:host {
  all: initial !important;
  position: fixed !important;
  z-index: 2147483647 !important;
  display: block !important;
  width: 0 !important;
  height: 0 !important;
  overflow: visible !important;
  direction: ltr !important;
  color-scheme: light dark !important;
}
.launcher, .drawer, .failure {
  position: fixed;
  box-sizing: border-box;
  font: 13px / 20px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
}
.launcher {
  bottom: calc(16px + 44px * var(--place));
  right: 16px;
  display: flex;
  align-items: center;
  gap: 8px;
  height: 36px;
  max-width: calc(100vw - 32px);
  margin: 0;
  padding: 0 12px 0 10px;
  border: 1px solid light-dark(#8b9690, #6d7a76);
  border-radius: 18px;
  background: light-dark(#ffffff, #1a1f22);
  color: light-dark(#1a211e, #e4eae7);
  box-shadow: 0 2px 8px rgb(0 0 0 / 20%);
  cursor: pointer;
}
.launcher span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.launcher:hover { background: light-dark(#e6f4eb, #1b3226); }
.launcher:focus-visible { outline: 2px solid light-dark(#1e7a45, #62c88c); outline-offset: 2px; }
.launcher svg {
  flex: none;
  width: 18px;
  height: 18px;
  fill: none;
  stroke: light-dark(#1e7a45, #62c88c);
  stroke-width: 1.4;
  stroke-linecap: round;
  stroke-linejoin: round;
}
[hidden] { display: none !important; }
.failure {
  right: 16px;
  bottom: calc(60px + 44px * var(--place));
  max-width: min(360px, calc(100vw - 32px));
  padding: 8px 12px;
  border-radius: 6px;
  background: light-dark(#fdecea, #3a1d1b);
  color: light-dark(#1a211e, #e4eae7);
}
.at-left :is(.launcher, .failure) { right: auto; left: 16px; }
.drawer {
  background: light-dark(#ffffff, #14181a);
  box-shadow: 0 0 24px rgb(0 0 0 / 28%);
  overflow: hidden;
}
.at-bottom .drawer { inset: auto 0 0 0; height: clamp(240px, var(--size-of-drawer, 56dvh), 100dvh); border-top: 1px solid light-dark(#8b9690, #6d7a76); }
.at-right .drawer { inset: 0 0 0 auto; width: clamp(min(320px, 100vw), var(--size-of-drawer, 720px), 100vw); border-left: 1px solid light-dark(#8b9690, #6d7a76); }
.at-left .drawer { inset: 0 auto 0 0; width: clamp(min(320px, 100vw), var(--size-of-drawer, 720px), 100vw); border-right: 1px solid light-dark(#8b9690, #6d7a76); }
.edge { position: absolute; z-index: 30; touch-action: none; }
.at-bottom .edge { inset: 0 0 auto 0; height: 6px; cursor: ns-resize; }
.at-right .edge { inset: 0 auto 0 0; width: 6px; cursor: ew-resize; }
.at-left .edge { inset: 0 0 0 auto; width: 6px; cursor: ew-resize; }
.edge:hover, .edge:focus-visible { background: light-dark(#1e7a45, #62c88c); outline: none; }
#panel { container: panel / inline-size; position: relative; height: 100%; }
#panel:focus { outline: none; }
`
