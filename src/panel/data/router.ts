import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { decodeWherePossible } from '../../core/http/urls.ts'

/** What the panel shows; on its own page, the part of the URL after `#`: `#/traffic/12?world=checkout&status=4xx`. */
interface Route {
  readonly view: string
  readonly rest: readonly string[]
  readonly params: Readonly<Record<string, string>>
}

/** A change of a route. A new view keeps only the world parameter. */
export interface RouteChange {
  readonly view?: string
  readonly rest?: readonly string[]
  readonly params?: Readonly<Record<string, string | undefined>>
}

export type PanelRouter = ReturnType<typeof createRouter>

const world = 'world'

export function createRouter(place: RouteStore) {
  const route = signal(parse(place.read()))
  const end = place.watch(() => batch(() => (route.value = parse(place.read()))))

  const href = (change: RouteChange) => format(changed(route.value, change))
  const go = (change: RouteChange, replace = false) => {
    const hash = format(changed(route.peek(), change))
    if (hash === place.read()) return
    place.write(hash, replace)
    route.value = parse(hash)
  }
  return {
    route: route as ReadonlySignal<Route>,
    world: computed(() => route.value.params[world] ?? 'default'),
    href,
    go,
    setParam: (name: string, value: string | undefined) =>
      go({ params: { [name]: value === '' ? undefined : value } }, true),
    end,
  }
}

function changed(from: Route, { view, rest, params }: RouteChange): Route {
  const kept = view === undefined ? from.params : from.params[world] === undefined ? {} : { world: from.params[world] }
  const merged = Object.entries({ ...kept, ...params }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !(pair[0] === world && pair[1] === 'default'),
  )
  return {
    view: view ?? from.view,
    rest: rest ?? (view === undefined ? from.rest : []),
    params: Object.fromEntries(merged),
  }
}

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [view = '', ...rest] = path.split('/').map(decodeWherePossible)
  return { view, rest: rest.filter((part) => part !== ''), params: Object.fromEntries(new URLSearchParams(query)) }
}

function format({ view, rest, params }: Route): string {
  const query = new URLSearchParams(params).toString()
  return '#/' + [view, ...rest].map(encodeURIComponent).join('/') + (query === '' ? '' : '?' + query)
}

export interface RouteStore {
  read(): string
  write(text: string, replace: boolean): void
  watch(listener: () => void): () => void
}
