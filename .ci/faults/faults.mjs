// Changes of the repository, each with the tests that must see it.

/** Replaces a text in a file. @param find must be in the file exactly once */
const edit = (file, find, put) => ({ file, find, put })

/**
 * Single mistakes in one file, which are built: by the test that sees them, each with what it
 * replaces by what.
 */
const inBuild = (file, rows, isSource) =>
  Object.entries(rows).flatMap(([test, mistakes]) =>
    mistakes.map(([name, find, put]) => ({
      name,
      edits: [edit(file, find, put)],
      tests: [test],
      isSource,
    })),
  )

/** The same where tests of the source see them, without a build. */
const inSource = (file, rows) => inBuild(file, rows, true)

/** A Rolldown plugin that loses an effect. */
const losesEffect = `{ name: 'fault', transform: (code, id) => (id.endsWith('text/values.ts') ? code.replace('return decodeURIComponent(text)', 'decodeURIComponent(text); return text') : null) }`

/** Another that mangles names: Rolldown rejects its option if the output has several files. */
const mangles = `{ name: 'fault', renderChunk: (code, { fileName }) => minifySync(fileName, code, { mangle: false, compress: false, mangleProps: { include: /_url$/ } }).code }`

/**
 * Each fault: `before` are files to write before the build, `edits` are applied before it, `after`
 * after it. “Tree shaking without side effects of modules” is not a fault: no module of ours is
 * imported only for side effects. Nor is a handler that throws where its client gave up: msw 2.15
 * shows it nowhere.
 */
export const faults = [
  ...inSource('src/adapters/intercepted.ts', {
    'test/parity/operations.test.ts': [['MSW loses the query', 'search.slice(1)', "''"]],
    'test/guard/foreign-pages.test.ts': [
      ['MSW lets pages of other sites in', "if (headers.has('sec-fetch-site'))", 'if (false)'],
    ],
    'test/parity/replies.test.ts': [
      ['MSW loses the world of the path', 'return world + mount', 'return mount'],
      [
        'MSW takes the path below the wrong base',
        'mount + path.slice(prefix.length)',
        'mount + path',
      ],
    ],
    'test/parity/left-to-others.test.ts': [
      ['MSW answers at any origin', 'wanted !== undefined && origin !== wanted.origin', 'false'],
      [
        'MSW takes paths that only begin alike',
        "path.startsWith(start + '/')",
        'path.startsWith(start)',
      ],
    ],
    'test/adapters/mounted.test.ts': [
      [
        "happy-dom's preflight goes unanswered",
        "method !== 'OPTIONS' ||",
        "method === 'OPTIONS' ||",
      ],
    ],
  }),
  ...inSource('src/adapters/msw.ts', {
    'test/parity/scenarios.test.ts': [
      [
        'MSW answers a failing network with 500',
        '?? Response.error()',
        '?? new Response(null, { status: 500 })',
      ],
    ],
  }),
  ...inSource('src/adapters/express.ts', {
    'test/parity/left-to-others.test.ts': [
      [
        'Express does not answer Area B',
        'path.startsWith(prefix) &&',
        "prefix !== '/v1' && path.startsWith(prefix) &&",
      ],
      [
        'Express leaves nothing to what comes after',
        'target)) next()',
        'target)) response.writeHead(404).end()',
      ],
    ],
    'test/adapters/mounted.test.ts': [
      ['Express takes a body that was read', 'request.readableDidRead', 'false'],
    ],
  }),
  ...inSource('src/adapters/server.ts', {
    'test/guard/foreign-host.test.ts': [
      [
        'The server takes any Host',
        'isOwnHost,\n    answerRoot: leadToPanel,',
        'isOwnHost: () => true,\n    answerRoot: leadToPanel,',
      ],
    ],
    'test/guard/control-origin.test.ts': [
      [
        'The server answers the control API as the service',
        "isControlTarget(request.url ?? '')",
        '!request',
      ],
    ],
  }),
  ...inSource('src/node-http/node-request.ts', {
    'test/parity/operations.test.ts': [
      ['The method is in lower case', 'request.method!', 'request.method!.toLowerCase()'],
    ],
    'test/adapters/http.test.ts': [
      [
        'A whole URL is taken for a path',
        "const own = target.startsWith('/')\n",
        'const own = true\n',
      ],
    ],
    'test/parity/aborts.test.ts': [
      [
        'Nobody hears that a client left',
        'abortedWhenClosed(this.#response))',
        'new AbortController().signal)',
      ],
    ],
  }),
  ...inSource('src/node-http/body.ts', {
    'test/adapters/http.test.ts': [
      ['A chunked body is taken for none', " || headers['transfer-encoding'] !== undefined", ''],
    ],
    'test/parity/replies.test.ts': [
      [
        'A body of any size is read',
        "if (length > limit) return done('too-large')",
        "if (length < 0) return done('too-large')",
      ],
    ],
  }),
  ...inSource('src/node-http/send.ts', {
    'test/parity/operations.test.ts': [
      [
        '204 becomes 200',
        'response.writeHead(status, headers)',
        'response.writeHead(status === 204 ? 200 : status, headers)',
      ],
    ],
    'test/parity/aborts.test.ts': [
      [
        'A stream leaves all at once',
        'const { pieces = inLargePieces, cutAt = Infinity } = reply.wire ?? {}',
        'const pieces: NonNullable<NonNullable<Reply["wire"]>["pieces"]> = inLargePieces\n  const { cutAt = Infinity } = reply.wire ?? {}',
      ],
    ],
    'test/parity/replies.test.ts': [
      ['Bodies are written as latin1', "length === body.length ? 'latin1' : 'utf8'", "'latin1'"],
      [
        'Retry-After is lost',
        'response.writeHead(status, headers)',
        "response.writeHead(status, Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Retry-After')))",
      ],
    ],
    'test/parity/raw.test.ts': [
      [
        'A header that comes twice is joined',
        'toRawHeaders(reply)',
        'Object.entries(headers).flat()',
      ],
      [
        'A reset closes the connection politely',
        'socket.resetAndDestroy()',
        'socket.destroySoon()',
      ],
      [
        'A reply that broke off is kept as whole',
        'whenGone(response, () => markSent(reply, sent, true))',
        'whenGone(response, () => markSent(reply))',
      ],
    ],
  }),
  ...inSource('src/node-http/connections.ts', {
    'test/adapters/close.test.ts': [
      [
        'A server that stops keeps connections alive',
        'newest.shouldKeepAlive = false',
        'newest.shouldKeepAlive = true',
      ],
    ],
  }),
  ...inSource('src/node-http/http-server.ts', {
    'test/adapters/http.test.ts': [
      ['TRACE is answered', "request.method === 'TRACE'", 'false'],
      ['Two Hosts are taken', 'return hosts === 1', 'return hosts > 0'],
    ],
    'test/guard/foreign-host.test.ts': [
      ['Host names are compared by their case', 'header?.toLowerCase()', 'header'],
    ],
  }),
  ...inBuild('src/adapters/own-handlers.ts', {
    'test/cli/handlers.test.ts': [
      [
        "Cookies of the user's own handlers are joined",
        "response.setHeader('Set-Cookie', headers.getSetCookie?.() ?? [])",
        "response.setHeader('Set-Cookie', (headers.getSetCookie?.() ?? []).join(', '))",
      ],
      [
        "The user's own handlers lose the request's body",
        "if (body && method !== 'GET'",
        "if (false && body && method !== 'GET'",
      ],
    ],
  }),
  ...inBuild('package.json', {
    'test/package/entries.full.test.ts': [
      [
        'the export map leads an entry to the files of another one',
        '    "./*": {',
        '    "./data": "./dist/config.js",\n    "./*": {',
      ],
      ['the export map lacks an entry', '    "./*": {', '    "./data": null,\n    "./*": {'],
    ],
  }),
  ...inBuild('build/entries.mjs', {
    'test/package/entries.full.test.ts': [['an entry is not built', "  'config',\n", '']],
  }),
  ...inBuild('build/panel.mjs', {
    'test/package/contents.full.test.ts': [
      [
        'the panel lacks its style sheet',
        "writeFileSync(join(folder, 'panel.css'), styles())",
        'void styles()',
      ],
    ],
  }),
  ...inBuild('build/code.mjs', {
    'test/judging/strict-mode.test.ts': [
      [
        'a call is dropped whose result nobody uses',
        'plugins: [moduleFolder(),',
        `plugins: [${losesEffect}, moduleFolder(),`,
      ],
    ],
    'test/package/commonjs.full.test.ts': [
      [
        'a call is taken for one without effects',
        "platform: 'node',",
        "platform: 'node', treeshake: { manualPureFunctions: ['recognizeAcrossBuilds'] },",
      ],
      [
        'the CommonJS build is ES modules',
        "{ dir: `${folder}/cjs`, format: 'cjs'",
        "{ dir: `${folder}/cjs`, format: 'esm'",
      ],
    ],
    'test/package/entries.full.test.ts': [
      ['a library is left out of the bundle', "external: ['msw',", "external: ['js-yaml', 'msw',"],
    ],
    'test/package/built.test.ts': [
      ['the alias of zod is lost', "        'zod/mini': path(zod),\n", ''],
      ['the command is not written in ASCII', ', ascii(),', ','],
    ],
  }),
  ...inBuild('build/dist.mjs', {
    'test/package/contents.full.test.ts': [
      [
        'openapi.json is not written',
        "    join(folder, 'openapi.json'),\n",
        "    join(folder, 'openapi.txt'),\n",
      ],
      ['the command cannot be executed', '0o755', '0o644'],
    ],
    'test/package/built.test.ts': [
      [
        'the fixtures of the command are not written',
        'if (existsSync(dist)) renameSync',
        "for (const name of readdirSync(join(work, 'dist/cjs'))) if (name.startsWith('fixtures-')) rmSync(join(work, 'dist/cjs', name))\n    if (existsSync(dist)) renameSync",
      ],
    ],
  }),
  {
    name: 'files of an earlier build stay in dist',
    before: { 'dist/store-0ldB1t5s.js': 'export const store = []\n' },
    edits: [
      edit(
        'build/dist.mjs',
        "    if (existsSync(dist)) renameSync(dist, join(work, 'previous'))\n    renameSync(join(work, 'dist'), dist)\n",
        "  cpSync(join(work, 'dist'), dist, { recursive: true, preserveTimestamps: true })\n",
      ),
    ],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'dist was made from sources of another version',
    after: [
      edit(
        'src/core/store/memory.ts',
        'The memory limit of this mock is reached',
        'The limit of this mock is reached',
      ),
    ],
    edits: [edit('build/dist.mjs', 'Math.max(...sources.map(', 'Math.min(...sources.map(')],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'the minifier mangles names of properties',
    edits: [
      edit(
        'build/code.mjs',
        "import { rolldown } from 'rolldown'",
        "import { rolldown } from 'rolldown'\nimport { minifySync } from 'rolldown/utils'",
      ),
      edit('build/code.mjs', ', ascii(),', `, ascii(), ${mangles},`),
    ],
    tests: ['test/cli/banner.test.ts'],
  },
]
