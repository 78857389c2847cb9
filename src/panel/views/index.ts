/**
 * The views of the panel. To add one, say "Tides":
 *
 * 1. `registered/tides.ts` exports a View by default: id, title, order, key, `load: () => import('../tides/index.tsx')`, and
 *    which events count as changes. The folder is the list: nothing else names it. Orders: overview 10, traffic 20, scenarios 30,
 *    data 40, account 50, webhooks 60, time 70, assumptions 80, docs 90; keys: o t s d a w i u c.
 * 2. `tides/index.tsx` exports the component by default. It is drawn anew when the world changes, below `<main>`; begin with
 *    `<header class="view-head"><h1>Tides</h1>…buttons, FilterInput…</header>`. For a list with a detail beside it use
 *    `<div class="split">` with `<div class="split-list">` and `<aside class="split-detail">`.
 * 3. `tides/tides.css` goes into panel.css by itself. Take colours and distances from the tokens of `styles/tokens.css`, begin
 *    class names with the view's id, and mind 390 px (`@media (max-width: 720px)`). No card inside a card.
 *
 * - Data: `const { api, world, router, live } = usePanel()`; read with `useResource(() => api.due(world.name.value), […inputs],
 *   { reloadOn: ['clock'] })` and show with `<Loaded resource={due}>{(list) => …}</Loaded>`. It reads again after events and when
 *   the connection is back. Show an `<EmptyState>` that says what to do next.
 * - What a reload must keep stands in the URL: `router.route.value.params['status']`, `router.setParam('status', '4xx')`,
 *   `router.go({ rest: [id] })`, links: `<a href={router.href({ view: 'data', rest: ['apps'] })}>`.
 * - Doing: a `<Button onClick={() => api.…}>` is busy while its promise runs and shows a failure as a message; elsewhere use
 *   `attempt(…)`. Tell with `toast({ text, undo })`; ask with `await confirmed(…)` only for what can't be undone.
 * - Add what can be done to the palette with `useActions([{ id, title, keywords, run }], inputs)`, and keys with `useKeys`.
 * - All text from outside is a text node: never `dangerouslySetInnerHTML`. No `style="…"` texts. Nothing runs at import: the
 *   bundler drops a module that is imported for its effects alone.
 * - The panel may stand in a shadow root of another page: ask `surfaceRoot()` and `focusedElement()` of data/surface.ts, never
 *   `document`, `window` or `location`; the page's title is `surface.setTitle(…)`. Style sheets name `#panel`, never `body`.
 * - Import parts from `../../components/index.ts`. From below `src/panel` only types, and pure functions of core/definitions,
 *   core/http and core/time (no `Date`, no `setTimeout`: `after` of core/time/clock.ts).
 * - Tests: `test/panel/tides.test.ts` with `openPanel` of test/support/panel.ts; `npm run panel:screenshots` shows every view.
 */
import registered from './registered/*.ts?all'
import type { View } from './view.ts'

export type { View } from './view.ts'

/** All of them, in the order of the side bar. */
export const views: readonly View[] = (registered as readonly View[]).toSorted((one, other) => one.order - other.order)
