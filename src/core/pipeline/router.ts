import type { Operation } from './operation.ts'

/** What a method and a path lead to: an operation, or a known path that lacks the method, or nothing. */
export interface Match {
  readonly operation: Operation | undefined
  /** Still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
  /** The methods of the path; empty when no operation has the path. */
  readonly methods: readonly string[]
}

interface Node {
  readonly children: Map<string, Node>
  parameter?: { name: string; node: Node }
  readonly operations: Map<string, Operation>
}

const nothing: Match = { operation: undefined, params: {}, methods: [] }

/** Finds operations in a tree of path segments. */
export class Router {
  readonly #root = createNode()

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) this.#add(operation)
  }

  /** @param path below the area's base, percent-encoded. */
  match(method: string, path: string): Match {
    let node: Node | undefined = this.#root
    let params: Record<string, string> | undefined
    for (let start = 1; start <= path.length;) {
      let end = path.indexOf('/', start)
      if (end < 0) end = path.length
      const segment = path.slice(start, end)
      const child: Node | undefined = node.children.get(segment)
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
      methods: [...node.operations.keys()],
    }
  }

  #add(operation: Operation): void {
    let node = this.#root
    for (const segment of operation.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name) node = (node.parameter ??= { name, node: createNode() }).node
      else {
        const child = node.children.get(segment) ?? createNode()
        node.children.set(segment, child)
        node = child
      }
    }
    if (node.operations.has(operation.method))
      throw new Error(`Two operations claim ${operation.method} ${operation.path}.`)
    node.operations.set(operation.method, operation)
  }
}

function createNode(): Node {
  return { children: new Map(), operations: new Map() }
}
