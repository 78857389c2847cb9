type Node = { loc?: unknown }

export interface ProgramPath {
  readonly scope: { rename(name: string): void }
  traverse(visitor: { MetaProperty(path: MetaPath): void }): void
  unshiftContainer(key: 'body', nodes: Node[]): { requeue?(): void }[]
}

interface MetaPath {
  readonly node: { readonly meta: { readonly name: string } }
  replaceWith(node: Node): void
}

interface Source {
  readonly name: string
  readonly loc: unknown
  readonly interop: string
}

export interface Babel {
  transformSync(text: string, options: Readonly<Record<string, unknown>>): { code?: string | null } | null
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
