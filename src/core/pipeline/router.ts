import type { Operation } from './operation.ts'

/** Anything with a method and a path: an operation, or a route of the control API. */
export interface Routed {
  readonly method: string
  /** The path, with parameters in braces: `/apps/{app_id}`. */
  readonly path: string
}

/** The result of a lookup: an operation, a known path without the method, or nothing. */
export interface Match<T extends Routed = Operation> {
  readonly operation: T | undefined
  /** Still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
  /** The methods of the path; empty when no operation has the path. */
  readonly methods: readonly string[]
}

interface Node<T> {
  readonly children: Map<string, Node<T>>
  parameter?: { name: string; node: Node<T> }
  readonly operations: Map<string, T>
  /** The keys of `operations`. */
  readonly methods: string[]
}

const nothing: Match<never> = { operation: undefined, params: {}, methods: [] }

/** Finds operations in a tree of path segments. */
export class Router<T extends Routed = Operation> {
  readonly #root: Node<T> = createNode()

  constructor(operations: readonly T[]) {
    for (const operation of operations) this.#add(operation)
  }

  /** @param path below the area's base, percent-encoded. */
  match(method: string, path: string): Match<T> {
    let node: Node<T> | undefined = this.#root
    let params: Record<string, string> | undefined
    for (let start = 1; start <= path.length;) {
      let end = path.indexOf('/', start)
      if (end < 0) end = path.length
      const segment = path.slice(start, end)
      const child: Node<T> | undefined = node.children.get(segment)
      if (child) node = child
      else if (node.parameter && segment !== '') {
        ;(params ??= {})[node.parameter.name] = segment
        node = node.parameter.node
      } else return nothing
      start = end + 1
    }
    if (node.operations.size === 0) return nothing
    return {
      operation: node.operations.get(method),
      params: params ?? nothing.params,
      methods: node.methods,
    }
  }

  #add(operation: T): void {
    let node = this.#root
    for (const segment of operation.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name) node = (node.parameter ??= { name, node: createNode() }).node
      else {
        const child = node.children.get(segment) ?? createNode<T>()
        node.children.set(segment, child)
        node = child
      }
    }
    if (node.operations.has(operation.method))
      throw new Error(`Two operations claim ${operation.method} ${operation.path}.`)
    node.operations.set(operation.method, operation)
    node.methods.push(operation.method)
  }
}

function createNode<T>(): Node<T> {
  return { children: new Map(), operations: new Map(), methods: [] }
}
