import { createRequire } from 'node:module'
import type { check } from 'recheck'

/** The analyser in plain JavaScript; the package's main file would look for a Java or native one first. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync: (...given: Parameters<typeof check>) => Awaited<ReturnType<typeof check>>
}

/**
 * Returns what the analyser proves of an expression: `safe` or `linear` if its work grows at most linearly with the
 * text; otherwise its growth (`2nd degree polynomial`), or why it cannot tell. It does not test texts, so it needs
 * neither luck nor time.
 */
export function prove(pattern: string, flags: string): string {
  const found = checkSync(pattern, flags, {
    checker: 'automaton',
    timeout: null,
    maxRepeatCount: 1_000,
    maxNFASize: 100_000,
    maxPatternSize: 5_000,
  })
  return found.status === 'unknown' ? `unknown: ${found.error.kind}` : found.complexity.summary
}
