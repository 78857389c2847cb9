import type { Assuming } from '../contract/assumptions.ts'
import { cached } from '../contract/cache.ts'
import { splitWorld } from '../http/address.ts'
import type { Area } from './area.ts'
import type { Operation } from './operation.ts'
import type { Texts } from '../text/values.ts'

interface Routed {
  readonly method: string
  readonly path: string
}

export interface Match<T extends Routed = Operation> {
  readonly operation: T | undefined
  /** Still percent-encoded. */
  readonly params: Texts
  readonly methods: readonly string[]
}

interface RouteNode<T> {
  readonly children: Map<string, RouteNode<T>>
  other?: RouteNode<T>
  readonly entries: Map<
    string,
    {
      readonly operation: T
      readonly names: readonly string[]
    }
  >
  names: readonly string[]
  readonly methods: string[]
}

const nothing: Match<never> = {
  operation: undefined,
  params: {},
  methods: [],
}

export class Router<T extends Routed = Operation> {
  readonly #root: RouteNode<T> = createNode()

  constructor(operations: readonly T[]) {
    for (const operation of operations) this.#add(operation)
  }

  /** @param path below the area's base, percent-encoded. */
  match(method: string, path: string): Match<T> {
    let node: RouteNode<T> | undefined = this.#root
    let values: string[] | undefined
    for (let start = 1; start <= path.length;) {
      let end = path.indexOf('/', start)
      if (end === -1) end = path.length
      const segment = path.slice(start, end)
      const child: RouteNode<T> | undefined = node.children.get(segment)
      if (child) node = child
      else if (node.other && segment !== '') {
        ;(values ??= []).push(segment)
        node = node.other
      } else return nothing
      start = end + 1
    }
    const entry = node.entries.get(method)
    return {
      operation: entry?.operation,
      params: values ? toParams(entry?.names ?? node.names, values) : nothing.params,
      methods: node.methods,
    }
  }

  #add(operation: T): void {
    let node = this.#root
    const names: string[] = []
    for (const segment of operation.path.split('/').slice(1)) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1))
        node = node.other ??= createNode()
      } else {
        node = cached(node.children, segment, () => createNode<T>())
      }
    }
    if (node.entries.has(operation.method))
      throw new Error(`Two operations claim ${operation.method} ${operation.path}.`)
    if (node.entries.size === 0) node.names = names
    node.entries.set(operation.method, { operation, names })
    node.methods.push(operation.method)
  }
}

function createNode<T>(): RouteNode<T> {
  return {
    children: new Map(),
    entries: new Map(),
    names: [],
    methods: [],
  }
}

function toParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (let index = 0; index < names.length; index++) params[names[index]!] = values[index]!
  return params
}

export type RoutedAreas = readonly {
  readonly area: Area
  readonly router: Router
}[]

export function findArea(areas: RoutedAreas, path: string): RoutedAreas[number] {
  for (const routed of areas) {
    const { base } = routed.area
    // The base must be followed by nothing or by a slash.
    if (
      path.startsWith(base) &&
      (base === '' || path.length === base.length || path[base.length] === '/')
    )
      return routed
  }
  throw new Error('No area has the base path "".')
}

/** Returns whether an operation has this method and path, which may begin with a world's prefix. */
export function hasOperation(areas: RoutedAreas, method: string, target: string): boolean {
  const { path } = splitWorld(target)
  const { area, router } = findArea(areas, path)
  const asked = method === 'HEAD' ? 'GET' : method
  return router.match(asked, path.slice(area.base.length)).operation !== undefined
}

/**
 * Matches a path below an area's base. HEAD matches as GET where the assumption `http.head` says
 * so.
 */
export function matchPath(router: Router, method: string, path: string, by: Assuming): Match {
  const match = router.match(method, path)
  const isGet =
    method === 'HEAD' && match.methods.includes('GET') && by.assume('http.head') === 'as-get'
  return isGet ? router.match('GET', path) : match
}
