import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { decodeWherePossible } from '../../core/text/values.ts'
import type { Texts } from './control.ts'

/**
 * What the panel shows; on its own page, the part of the URL after `#`:
 * `#/traffic/12?status=4xx&world=checkout`.
 */
export interface Route {
  view: string
  rest: readonly string[]
  params: Texts
}

/** A change of a route. A new view keeps only the world parameter. */
export interface RouteChange {
  view?: string
  rest?: readonly string[]
  params?: Readonly<Record<string, string | undefined>>
}

export type PanelRouter = ReturnType<typeof createRouter>

/** @param views the ids of the views; another one in an address means the first */
export function createRouter(place: RouteStore, views: readonly string[]) {
  const read = () => {
    const found = parseHash(place.read())
    const isKnown = views.includes(found.view)
    const first = {
      ...found,
      view: views[0] ?? '',
      rest: [],
    }
    const wanted = changeRoute(isKnown ? found : first, {})
    if (!isKnown || found.params['world'] === undefined) place.write(format(wanted), true)
    return wanted
  }
  const route = signal(read())
  const end = place.watch(() => batch(() => (route.value = read())))

  const href = (change: RouteChange) => format(changeRoute(route.value, change))
  const go = (change: RouteChange, replace = false) => {
    const hash = format(changeRoute(route.peek(), change))
    if (hash === place.read()) return
    place.write(hash, replace)
    route.value = parseHash(hash)
  }
  return {
    route: route as ReadonlySignal<Route>,
    get params() {
      return route.value.params
    },
    world: computed(() => route.value.params['world'] ?? 'default'),
    href,
    go,
    /** A list that is filtered begins with its first page. */
    setParam: (name: string, value?: string) =>
      go({ params: { [name]: value || undefined, page: undefined } }, true),
    end,
  }
}

/** Every address names its world, at its end, so that a link shows a colleague the same. */
function changeRoute(from: Route, { view, rest, params }: RouteChange): Route {
  const kept = view === undefined ? from.params : { world: from.params['world'] }
  const { world = 'default', ...others } = { ...kept, ...params }
  const named = Object.entries({ ...others, world }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return {
    view: view ?? from.view,
    rest: rest ?? (view === undefined ? from.rest : []),
    params: Object.fromEntries(named),
  }
}

function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [view = '', ...rest] = path.split('/').map(decodeWherePossible)
  return {
    view,
    rest: rest.filter((part) => part !== ''),
    params: Object.fromEntries(new URLSearchParams(query)),
  }
}

function format({ view, rest, params }: Route): string {
  const query = new URLSearchParams(params).toString()
  return (
    '#/' + [view, ...rest].map(encodeURIComponent).join('/') + (query === '' ? '' : '?' + query)
  )
}

export interface RouteStore {
  read(): string
  write(text: string, replace: boolean): void
  watch(listener: () => void): () => void
}
