'use strict'
// Loads the command's files with code that V8 compiled at the build: without it, reading and
// compiling them is a sixth of a start. Node 22.1 and later caches such code itself
// (`module.enableCompileCache`). V8 rejects code from another version of Node or V8, and compiles
// the file as usual.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { sep } = require('node:path')
const { Script } = require('node:vm')

/** Returns the path of a file's compiled code for this version of Node. */
const keptAt = (file) => `${file}.${process.version}-${process.arch}.compiled`

/**
 * Makes Node load the files of `folder` with their compiled code. @param onScript is called with
 * each file and its script
 */
function loadCompiled(folder = __dirname, onScript) {
  const load = Module._extensions['.js']
  Module._extensions['.js'] = (module, file) => {
    const isOwn = file.startsWith(folder + sep)
    const cachedData = isOwn ? read(keptAt(file)) : undefined
    if (!cachedData && !(isOwn && onScript)) return load(module, file)
    // These files are ASCII: decoding them as UTF-8, as Node does, takes a millisecond.
    const script = new Script(Module.wrap(readFileSync(file, 'latin1')), {
      filename: file,
      cachedData,
    })
    onScript?.(file, script)
    const { exports } = module
    script
      .runInThisContext()
      .call(exports, exports, Module.createRequire(file), module, file, folder)
  }
}

function read(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

module.exports = { keptAt, loadCompiled }
