import type { CoreWorld } from '../../../core/world/world.ts'

/** Creates a secret from the world's seed: `whsec_` and 24 bytes in base64. */
export function createSecret(world: CoreWorld): string {
  const random = world.random('webhook secret')
  return 'whsec_' + btoa(String.fromCharCode(...Array.from({ length: 24 }, () => Math.floor(random.next() * 256))))
}
