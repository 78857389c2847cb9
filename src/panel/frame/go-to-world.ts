import type { Panel } from '../data/panel.ts'
import { views } from '../views/index.ts'
import { shownView } from './counts.ts'

const ofWorld = { new: undefined, snapshot: undefined, page: undefined }

/** Shows another world, in the same list with the same filters. What is open belongs to one world, so it closes. */
export function goToWorld({ router }: Panel, name: string | undefined): void {
  const rest = shownView(views, router).hasLists ? router.route.peek().rest.slice(0, 1) : []
  router.go({ rest, params: { ...ofWorld, world: name } })
}
