import { createGreenhouse, type World } from 'greenhouse-mock'

declare global {
  var world: World
  var end: () => void
}

// The address says where the state is kept.
const greenhouse = createGreenhouse({ persist: location.hash.slice(1) as 'session' | 'local' })
globalThis.world = greenhouse.world()
globalThis.end = () => greenhouse.close()
