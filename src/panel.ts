import { codedError } from './core/text/error-codes.ts'
import { type ClientBases, worldName, worldNameRule } from './core/http/urls.ts'
import { withCallerStack } from './core/contract/options.ts'
import { checkOptions, flag, oneOf, type SchemasOf, text } from './core/store/options.ts'
import { baseUrlSchemas, knownBases } from './adapters/base-urls.ts'
import { findPage } from './core/contract/platform.ts'
import type { Greenhouse } from './api/greenhouse.ts'
import { assertGreenhouse } from './api/options.ts'
import { mount, type MountedPanel, type MountOptions } from './panel/in-page/mount.ts'

export type { MountedPanel, MountOptions, PanelPosition } from './panel/in-page/mount.ts'

const schemas: SchemasOf<MountOptions> = {
  ...baseUrlSchemas,
  world: text(`the name of a world, ${worldNameRule}`, (value) => worldName.test(value)),
  open: flag,
  position: oneOf(['bottom', 'left', 'right']),
}

/**
 * Adds the panel to a page: a button, and a drawer that shows and changes the Greenhouse of this
 * page, without a server. Both are in a shadow root, and leave the page's styles, keys and URL
 * alone. The code that draws the panel loads when it first opens.
 * @example if (import.meta.env.DEV) (await import('greenhouse-mock/panel')).mountPanel(greenhouse)
 * @throws TypeError or RangeError for a wrong option; Error outside of a page.
 */
export function mountPanel(greenhouse: Greenhouse, options: MountOptions = {}): MountedPanel {
  return withCallerStack(mountPanel, () => mountOwn(greenhouse, options))
}

function mountOwn(greenhouse: Greenhouse, options: MountOptions): MountedPanel {
  assertGreenhouse('mountPanel', greenhouse)
  checkOptions('mountPanel', options, schemas)
  if (!findPage())
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      'Failed to call mountPanel(): there is no document. Call it in a page, not while a server renders one.',
    )
  return mount(async () => {
    const [{ drawPanel }, { controlFetch }] = await Promise.all([
      import('./panel/in-page/draw-panel.ts'),
      import('./control/answer-call.ts'),
    ])
    const bases = () => findBases(greenhouse, options)
    return {
      drawPanel,
      greenhouse: {
        origin: location.origin,
        bases,
        fetch: greenhouse.fetch,
        controlFetch: controlFetch(greenhouse, {
          bases,
          // Loaded with the first scenario that somebody writes.
          parseYaml: async (file, text) => (await import('./files/yaml.ts')).parseYaml(file, text),
        }),
      },
    }
  }, options)
}

/**
 * Returns the base URLs: those of the call, or of the handlers, or this page's origin; none
 * otherwise.
 */
function findBases(
  greenhouse: Greenhouse,
  { plants, apps }: MountOptions,
): ClientBases | undefined {
  const known = knownBases.get(greenhouse)
  if (!known && plants === undefined && apps === undefined) return undefined
  const { origin } = location
  return {
    plants: plants ?? known?.plants ?? origin,
    apps: apps ?? known?.apps ?? `${origin}/v1`,
  }
}
