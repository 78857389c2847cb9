import type { Observed } from '../parity/observe.ts'
import type { Situation } from '../parity/situations.ts'
import { start } from '../support/test-api.ts'
import { bundlePage } from './bundle.ts'
import { runPage } from './run-page.ts'

export async function observeInBrowser(situations: readonly Situation[]): Promise<Observed[]> {
  const given = [situations, start] as const
  const { result } = await runPage(await bundlePage('faults-page.ts'), (page) =>
    page.evaluate(([all, now]) => globalThis.observeInPage(all, now), given),
  )
  return result
}
