import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk } from 'rolldown'

/** Bundles a page as a user's bundler would, out of the built package; minified where that is asked for. @throws Error when something cannot be resolved. */
export async function bundlePage(entry = 'page.ts', { minify = false } = {}): Promise<OutputChunk[]> {
  const warnings: string[] = []
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'browser',
    // Its paths lead to types.
    tsconfig: false,
    onLog: (_level, log) => void warnings.push(log.message),
  })
  const { output } = await bundle.generate({ format: 'esm', minify })
  await bundle.close()
  if (warnings.length > 0) throw new Error(`Failed to bundle the page without a warning:\n${warnings.join('\n')}`)
  return output.filter((part) => part.type === 'chunk')
}
