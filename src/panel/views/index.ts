/**
 * The views of the panel. To add one, such as "Tides": add it to `views` below, and write
 * `tides/index.tsx`, which exports the component, mounted again after a change of world or a
 * restart of the server. It begins with a `<ViewHead>`; a list with a detail next to it is `<div
 * class="split">` with `<div class="split-list">` and `<Detail>`. Its few rules are a section of
 * `styles/panel.css`, with 360 px (`@media (max-width: 720px)`). Test it with `openPanel` of
 * test/support/panel.ts.
 *
 * - Read with `useAnswer('GET /worlds/{world}/clock', {}, ['clock'])`, or several with
 *   `useResource`, and show with `<Loaded>`.
 * - State that must survive a reload belongs in the URL: `router.params`, `router.go`,
 *   `router.setParam`.
 * - `change(panel, 'Switched on slow', (control) => …)` makes a change and offers Undo. A
 *   `<Button>` is busy while its promise runs and shows a failure as a message, a `<Form>` next to
 *   its inputs. Ask with `confirmed` only if there is no undo.
 * - `useCommands` binds keys.
 * - All text from outside is a text node. Nothing runs at import: the bundler drops a module that
 *   is imported only for its effects.
 * - The panel may be in a shadow root: `surfaceRoot()` and `focusedElement()`, never `document`,
 *   `window` or `location`.
 * - From outside `src/panel` import only types, and what build/arrows.mjs lists (no `Date`, no
 *   `setTimeout`).
 */
import type { ComponentType } from 'preact'
import type { IconName } from '../components/marks.tsx'
import type { Panel } from '../data/panel.ts'
import type { PanelRouter } from '../data/router.ts'
import Data from './data/index.tsx'
import Scenarios from './scenarios/index.tsx'
import Time from './time/index.tsx'
import Traffic from './traffic/index.tsx'
import Webhooks from './webhooks/index.tsx'

interface View {
  id: string
  title: string
  component: ComponentType
  key: string
  icon: IconName
  hasLists?: boolean
}

/** The first one is the start page. */
export const views: readonly [View, ...View[]] = [
  {
    id: 'traffic',
    title: 'Traffic',
    key: 't',
    icon: 'list',
    component: Traffic,
  },
  {
    id: 'scenarios',
    title: 'Scenarios',
    key: 's',
    icon: 'switch',
    component: Scenarios,
  },
  {
    id: 'data',
    title: 'Data',
    key: 'd',
    icon: 'table',
    component: Data,
    hasLists: true,
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    key: 'w',
    icon: 'send',
    component: Webhooks,
    hasLists: true,
  },
  {
    id: 'time',
    title: 'Time',
    key: 'i',
    icon: 'clock',
    component: Time,
  },
]

export function shownView(router: PanelRouter): View {
  return views.find(({ id }) => id === router.route.value.view) ?? views[0]
}

/**
 * Shows another world, in the same list with the same filters. What is open belongs to one world,
 * so it closes.
 */
export function goToWorld({ router }: Panel, world: string | undefined) {
  const rest = shownView(router).hasLists ? router.route.peek().rest.slice(0, 1) : []
  router.go({
    rest,
    params: {
      new: undefined,
      page: undefined,
      world,
    },
  })
}
