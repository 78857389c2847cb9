// Wine fails at keep-alive of sockets, which no test is about.
require('node:net').Socket.prototype.setKeepAlive = function () {
  return this
}
