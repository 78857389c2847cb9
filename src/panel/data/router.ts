import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { decodeWherePossible } from '../../core/http/urls.ts'

/**
 * What the panel shows; on its own page, the part of the URL after `#`:
 * `#/traffic/12?status=4xx&world=checkout`.
 */
export interface Route {
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

/** @param redirect returns the present route of a former one, or the same */
export function createRouter(place: RouteStore, redirect: (route: Route) => Route) {
  // Every address names its world, so that a link shows a colleague the same.
  const read = () => {
    const found = parse(place.read())
    const present = redirect(found)
    const isWhole = present === found && found.params[world] !== undefined
    const wanted = isWhole ? found : withWorld(present, present.params[world] ?? 'default')
    if (wanted !== found) place.write(format(wanted), true)
    return wanted
  }
  const route = signal(read())
  const end = place.watch(() => batch(() => (route.value = read())))

  const href = (change: RouteChange) => format(changed(route.value, change))
  const go = (change: RouteChange, replace = false) => {
    const hash = format(changed(route.peek(), change))
    if (hash === place.read()) return
    place.write(hash, replace)
    route.value = parse(hash)
  }
  return {
    route: route as ReadonlySignal<Route>,
    world: computed(() => route.value.params[world]!),
    href,
    go,
    setParam: (name: string, value: string | undefined) =>
      go({ params: { [name]: value === '' ? undefined : value } }, true),
    end,
  }
}

function changed(from: Route, { view, rest, params }: RouteChange): Route {
  const kept = view === undefined ? from.params : { [world]: from.params[world] }
  const merged = Object.entries({ ...kept, ...params }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const route = {
    view: view ?? from.view,
    rest: rest ?? (view === undefined ? from.rest : []),
    params: Object.fromEntries(merged),
  }
  return withWorld(route, route.params[world] ?? 'default')
}

/** The world is the last parameter. */
function withWorld({ params, ...route }: Route, name: string): Route {
  const { [world]: _, ...others } = params
  return { ...route, params: { ...others, [world]: name } }
}

function parse(hash: string): Route {
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
