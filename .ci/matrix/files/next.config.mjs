import { fileURLToPath } from 'node:url'

export default {
  serverExternalPackages: ['greenhouse-mock', 'msw'],
  // Where this cell's node_modules stand.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
}
