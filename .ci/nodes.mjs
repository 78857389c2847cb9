// The versions of Node that the package supports, from npm. `node .ci/nodes.mjs` prints them; `node .ci/nodes.mjs 26` prints the
// folder with the program of Node 26, for PATH.
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './matrix/install.mjs'

/** The oldest is that of package.json's `engines`, the newest that of `.nvmrc`. */
export const nodes = ['20', '22', '24', '26']

const folder = process.env.GREENHOUSE_NODES ?? join(tmpdir(), 'greenhouse-nodes')

/** Returns the program of a major version of Node: this one, or one that npm installs. */
export function findNode(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const own = join(folder, major)
  install(own, { node: `npm:node-${process.platform}-${process.arch}@${major}` })
  return join(own, 'node_modules/node/bin/node')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , major] = process.argv
  console.log(major ? dirname(findNode(major)) : nodes.join(' '))
}
