import type { Babel, ModuleTransforms, ProgramPath } from './babel.ts'

const taken = ['exports', 'module', 'require', '__filename', '__dirname']

export function createCommonJs({ template, types }: Babel, transforms: ModuleTransforms): object {
  const makeMeta = template.expression(
    '({ url: require("node:url").pathToFileURL(__filename).href, filename: __filename, dirname: __dirname })',
  )
  return {
    name: 'greenhouse-commonjs',
    visitor: {
      Program: {
        exit(path: ProgramPath): void {
          if (!transforms.isModule(path)) return
          for (const name of taken) path.scope.rename(name)
          path.traverse({
            MetaProperty(property) {
              if (property.node.meta.name === 'import') property.replaceWith(makeMeta())
            },
          })
          const { meta, headers } = transforms.rewriteModuleStatementsAndPrepareHeader(path, {
            exportName: 'exports',
            constantReexports: false,
            enumerableModuleMeta: false,
            strict: false,
            strictMode: true,
            allowTopLevelThis: true,
            importInterop: 'babel',
            noInterop: false,
          })
          for (const [specifier, source] of meta.source) {
            const required = types.callExpression(types.identifier('require'), [types.stringLiteral(specifier)])
            const header = transforms.isSideEffectImport(source)
              ? types.expressionStatement(required)
              : types.variableDeclaration('var', [
                  types.variableDeclarator(
                    types.identifier(source.name),
                    transforms.wrapInterop(path, required, source.interop) ?? required,
                  ),
                ])
            header.loc = source.loc
            headers.push(header, ...transforms.buildNamespaceInitStatements(meta, source, false))
          }
          transforms.ensureStatementsHoisted(headers)
          for (const added of path.unshiftContainer('body', headers)) added.requeue?.()
        },
      },
    },
  }
}
