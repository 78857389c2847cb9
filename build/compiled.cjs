'use strict'
// Lets the command's files be loaded from what V8 made of them at the build: to read and compile them is a sixth of a start.
// Node 22.1 and later keeps such code itself (`module.enableCompileCache`). What another Node or V8 made is refused by V8, and
// the file is compiled as ever.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { sep } = require('node:path')
const { Script } = require('node:vm')

/** Where the code of a file is kept, for this Node. */
const keptAt = (file) => `${file}.${process.version}-${process.arch}.compiled`

/** From now on files of `folder`, where this file stands, are loaded so. @param noted is called with each file and its script. */
function loadCompiled(folder = __dirname, noted) {
  const compile = Module.prototype._compile
  Module.prototype._compile = function (content, file, ...rest) {
    if (!file.startsWith(folder + sep)) return compile.call(this, content, file, ...rest)
    const cachedData = read(keptAt(file))
    if (!cachedData && !noted) return compile.call(this, content, file, ...rest)
    const script = new Script(Module.wrap(content), { filename: file, cachedData })
    noted?.(file, script)
    return script.runInThisContext().call(this.exports, this.exports, Module.createRequire(file), this, file, folder)
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
