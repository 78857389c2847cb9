/**
 * @typedef {object} Mutation
 * @property {string} what
 * @property {string} file below src
 * @property {string} find stands in the file once
 * @property {string} put
 * @property {boolean} [built] whether only what is built shows it
 */

/** What could go wrong with an adapter, one thing at a time. @type {readonly Mutation[]} */
export const mutations = [
  {
    what: 'MSW loses the query',
    file: 'adapters/answer-fetched.ts',
    find: 'search.slice(1)',
    put: "''",
  },
  {
    what: 'MSW lets pages of other sites in',
    file: 'adapters/answer-fetched.ts',
    find: "return headers.has('sec-fetch-site')",
    put: 'return false',
  },
  {
    what: 'MSW throws where a client gave up',
    file: 'adapters/answer-fetched.ts',
    find: 'if (request.signal.aborted || ',
    put: 'if (',
  },
  {
    what: 'MSW answers a failing network with 500',
    file: 'adapters/msw.ts',
    find: '?? HttpResponse.error()',
    put: '?? new Response(null, { status: 500 })',
  },
  {
    what: 'MSW loses the world of the path',
    file: 'adapters/area-paths.ts',
    find: 'return world + mount',
    put: 'return mount',
  },
  {
    what: 'MSW takes the path below the wrong base',
    file: 'adapters/area-paths.ts',
    find: 'mount + path.slice(prefix.length)',
    put: 'mount + path',
  },
  {
    what: 'MSW answers at any origin',
    file: 'adapters/area-paths.ts',
    find: 'wanted !== undefined && origin !== wanted.origin',
    put: 'false',
  },
  {
    what: 'MSW takes paths that only begin alike',
    file: 'adapters/area-paths.ts',
    find: "path.startsWith(start + '/')",
    put: 'path.startsWith(start)',
  },
  {
    what: "happy-dom's preflight goes unanswered",
    file: 'adapters/bare-preflight.ts',
    find: "method !== 'OPTIONS' ||",
    put: "method === 'OPTIONS' ||",
  },
  {
    what: 'Express does not answer Area B',
    file: 'adapters/express.ts',
    find: '(plants|v1)',
    put: '(plants)',
  },
  {
    what: 'Express leaves nothing to what comes after',
    file: 'adapters/express.ts',
    find: '.test(target)) next()',
    put: '.test(target)) response.writeHead(404).end()',
  },
  {
    what: 'Express takes a body that was read',
    file: 'adapters/express.ts',
    find: 'request.readableDidRead',
    put: 'false',
  },
  {
    what: 'The server takes any Host',
    file: 'adapters/server.ts',
    find: '{ first, isOwnHost, lead: leadToPanel }',
    put: '{ first, isOwnHost: () => true, lead: leadToPanel }',
  },
  {
    what: 'The server answers the control API as the service',
    file: 'adapters/server.ts',
    find: 'isControlTarget(request.url!)',
    put: '!request',
  },
  {
    what: 'The method is in lower case',
    file: 'node-http/node-request.ts',
    find: 'request.method!',
    put: 'request.method!.toLowerCase()',
  },
  {
    what: 'A whole URL is taken for a path',
    file: 'node-http/node-request.ts',
    find: "target.startsWith('/') ? target : toOriginForm(target)",
    put: 'target',
  },
  {
    what: 'Nobody hears that a client left',
    file: 'node-http/node-request.ts',
    find: 'controller.abort(gone))\n',
    put: 'undefined)\n',
  },
  {
    what: 'Bodies are written as latin1',
    file: 'node-http/listener.ts',
    find: '.end(reply.body ?? undefined)',
    put: ".end(reply.body ?? undefined, 'latin1')",
  },
  {
    what: 'Retry-After is lost',
    file: 'node-http/listener.ts',
    find: 'response.writeHead(reply.status, reply.headers)',
    put: "response.writeHead(reply.status, Object.fromEntries(Object.entries(reply.headers).filter(([name]) => name !== 'Retry-After')))",
  },
  {
    what: '204 becomes 200',
    file: 'node-http/listener.ts',
    find: 'response.writeHead(reply.status, reply.headers)',
    put: 'response.writeHead(reply.status === 204 ? 200 : reply.status, reply.headers)',
  },
  {
    what: 'A body of any size is read',
    file: 'node-http/listener.ts',
    find: "done(length > limit ? 'too-large' : joined(chunks, length))",
    put: 'done(joined(chunks, length))',
  },
  {
    what: 'A chunked body is taken for none',
    file: 'node-http/listener.ts',
    find: " || request.headers['transfer-encoding'] !== undefined",
    put: '',
  },
  {
    what: 'A header that comes twice is joined',
    file: 'node-http/wire.ts',
    find: 'sent[known] = [headers[known]!, headers[known]!]',
    put: 'sent[known] = `${headers[known]!}, ${headers[known]!}`',
  },
  {
    what: 'A stream leaves all at once',
    file: 'node-http/wire.ts',
    find: 'const { pieces = inLargePieces, cutAt = Infinity } = reply.wire ?? {}',
    put: 'const pieces: NonNullable<NonNullable<Reply["wire"]>["pieces"]> = inLargePieces\n  const { cutAt = Infinity } = reply.wire ?? {}',
  },
  {
    what: 'A reset closes the connection politely',
    file: 'node-http/wire.ts',
    find: 'socket.resetAndDestroy()',
    put: 'socket.destroySoon()',
  },
  {
    what: 'A reply that broke off is kept as whole',
    file: 'node-http/departure.ts',
    find: '  const close = () => {\n    stop()\n    tellLeft(reply, sent, true)',
    put: '  const close = () => {\n    stop()\n    tellLeft(reply)',
  },
  {
    what: 'A server that stops keeps connections alive',
    file: 'node-http/connections.ts',
    find: 'newest.shouldKeepAlive = false',
    put: 'newest.shouldKeepAlive = true',
  },
  {
    what: 'TRACE is answered',
    file: 'node-http/http-server.ts',
    find: "request.method === 'TRACE'",
    put: 'false',
  },
  {
    what: 'Two Hosts are taken',
    file: 'node-http/http-server.ts',
    find: 'return hosts === 1',
    put: 'return hosts > 0',
  },
  {
    what: 'Host names are compared by their case',
    file: 'node-http/hosts.ts',
    find: 'header?.toLowerCase()',
    put: 'header',
  },
  {
    what: "Cookies of the user's own handlers are joined",
    file: 'adapters/own-handlers.ts',
    find: "response.setHeader('Set-Cookie', cookies)",
    put: "response.setHeader('Set-Cookie', cookies.join(', '))",
    built: true,
  },
  {
    what: "The user's own handlers lose the request's body",
    file: 'adapters/own-handlers.ts',
    find: "...(body && method !== 'GET'",
    put: "...(false && body && method !== 'GET'",
    built: true,
  },
]
