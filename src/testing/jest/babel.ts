/** A node of Babel's syntax tree, which is never inspected here. */
type Node = { loc?: unknown }

/** The path of a program in Babel's syntax tree. */
export interface ProgramPath {
  readonly scope: { rename(name: string): void }
  traverse(visitor: { MetaProperty(path: MetaPath): void }): void
  unshiftContainer(key: 'body', nodes: Node[]): { requeue?(): void }[]
}

/** The path of `import.meta` or `new.target`. */
interface MetaPath {
  readonly node: { readonly meta: { readonly name: string } }
  replaceWith(node: Node): void
}

/** The imports from one module. */
interface Source {
  readonly name: string
  readonly loc: unknown
  readonly interop: string
}

/** The part of @babel/core that is used. */
export interface Babel {
  transformSync(text: string, options: Readonly<Record<string, unknown>>): { code?: string | null } | null
  /** Returns a factory of expressions. */
  readonly template: { expression(code: string): () => Node }
  readonly types: {
    callExpression(callee: Node, values: Node[]): Node
    expressionStatement(expression: Node): Node
    identifier(name: string): Node
    stringLiteral(value: string): Node
    variableDeclaration(kind: 'var', declarations: Node[]): Node
    variableDeclarator(id: Node, init: Node): Node
  }
}

/** The part of @babel/helper-module-transforms, a dependency of @babel/core, that is used. */
export interface ModuleTransforms {
  isModule(path: ProgramPath): boolean
  rewriteModuleStatementsAndPrepareHeader(
    path: ProgramPath,
    options: Readonly<Record<string, unknown>>,
  ): { meta: { source: ReadonlyMap<string, Source> }; headers: Node[] }
  isSideEffectImport(source: Source): boolean
  wrapInterop(path: ProgramPath, expression: Node, interop: string): Node | undefined
  buildNamespaceInitStatements(meta: unknown, source: Source, constantReexports: boolean): Node[]
  ensureStatementsHoisted(statements: Node[]): void
}
