import { fileURLToPath } from 'node:url'
import { yamlFolder } from './yaml-folder.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

export default {
  input: {
    index: path('../src/index.ts'),
    msw: path('../src/adapters/msw.ts'),
    server: path('../src/adapters/server.ts'),
    express: path('../src/adapters/express.ts'),
    node: path('../src/node/index.ts'),
    greenhouse: path('../src/cli/main.ts'),
  },
  external: ['msw', /^msw\//, 'express'],
  platform: 'node',
  plugins: [yamlFolder()],
  resolve: {
    // yargs measures help text with string-width, which builds an Intl.Segmenter at import: 28 ms of every start.
    alias: { 'string-width': path('./string-width.mjs'), 'wrap-ansi': path('./wrap-ansi.mjs') },
  },
  output: { dir: path('../dist'), format: 'esm', cleanDir: true, minify: { mangle: false, compress: true, codegen: true } },
}
