import { list, text, wholeNumber } from '../../core/contract/options.ts'
import { isOrigin } from '../../core/http/urls.ts'

export const serverRules = {
  port: wholeNumber('a whole number from 0 to 65535', 0, 65_535),
  host: text('an address or a host name of this machine, such as "127.0.0.1"'),
  allowHosts: list("a list of host names, such as ['api', '.example.com']", (name) => typeof name === 'string'),
  controlOrigins: list(
    "a list of exact origins, such as ['http://localhost:5173'], without paths and without '*'",
    (origin) => typeof origin === 'string' && isOrigin(origin),
  ),
  token: { ...text('a text of visible ASCII characters', (token) => /^[\x21-\x7e]+$/.test(token)), isSecret: true },
}
