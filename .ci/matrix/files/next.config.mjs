import { fileURLToPath } from 'node:url'

export default {
  serverExternalPackages: ['greenhouse-mock', 'msw'],
  // The folder that contains this cell's node_modules.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
}
