/**
 * The views of the panel. To add a view, for example "Tides":
 *
 * 1. `registered/tides.ts` exports a View by default: id, title, order, key, `load: () => import('../tides/index.tsx')`, and
 *    the events that count as changes. Every file in the folder is registered; no other list names it. Orders: overview 10,
 *    traffic 20, scenarios 30, data 40, account 50, webhooks 60, time 70, assumptions 80, evidence 85, docs 90; keys: o t s d a w i u e c.
 * 2. `tides/index.tsx` exports the component by default. The panel mounts it in `<main>`, again after a change of world or a
 *    restart of the server. Start with `<ViewHead title="Tides" search={…} count={…} actions={…}>…FilterSelect, FilterToggle…</ViewHead>`.
 *    For a list with a detail next to it use `<div class="split">` with `<div class="split-list">` and `<Detail>`.
 * 3. The build adds `tides/tides.css` to panel.css. Take colours and distances from the tokens of `styles/tokens.css`, start
 *    class names with the view's id, and support 390 px (`@media (max-width: 720px)`). No card inside a card.
 *
 * - Data: `const { api, world, router, live } = usePanel()`; read with `useResource(() => api.due(world.name.value), […inputs],
 *   { reloadOn: ['clock'] })` and show with `<Loaded resource={due}>{(list) => …}</Loaded>`. The resource reads again after
 *   events and when the connection is back. Show an `<EmptyState>` that says what to do next.
 * - State that must survive a reload belongs in the URL: `router.route.value.params['status']`, `router.setParam('status', '4xx')`,
 *   `router.go({ rest: [id] })`, links: `<Link to={{ view: 'data', rest: ['apps'] }}>`.
 * - Actions: a `<Button onClick={() => api.…}>` is busy while its promise runs and shows a failure as a message; elsewhere use
 *   `attempt(…)`. Report success with `toast({ text, undo })`; ask with `await confirmed(…)` only if there is no undo.
 * - Add actions to the palette with `useActions([{ id, title, keywords, run }], inputs)`, and keys with `useKeys`.
 * - All text from outside is a text node: never `dangerouslySetInnerHTML`. No `style="…"` texts. Nothing runs at import: the
 *   bundler drops a module that is imported only for its side effects.
 * - The panel may be in a shadow root of another page: use `surfaceRoot()` and `focusedElement()` of data/surface.ts, never
 *   `document`, `window` or `location`; set the page's title with `surface.setTitle(…)`. Style sheets name `#panel`, never `body`.
 * - Import parts from `../../components/index.ts`. From outside `src/panel` import only types, and pure functions of
 *   core/contract, core/http and core/time (no `Date`, no `setTimeout`: `after` of core/time/clock.ts).
 * - Tests: `test/panel/tides.test.ts` with `openPanel` of test/support/panel.ts; `npm run panel:screenshots` shows every view.
 */
import registered from './registered/*.ts?all'
import type { View } from './view.ts'

export type { View } from './view.ts'

export const views: readonly View[] = (registered as readonly View[]).toSorted((one, other) => one.order - other.order)
