import type { CoreWorld } from '../../../core/world/world.ts'

export function createSecret(world: CoreWorld): string {
  const random = world.random('webhook secret')
  return 'whsec_' + btoa(String.fromCharCode(...Array.from({ length: 24 }, () => Math.floor(random.next() * 256))))
}
